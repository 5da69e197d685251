"""What one template finds on the nodes, as `node_choice.pyx` reads it: soft constraints, limits of domains, and columns."""

cimport cython

cdef extern from *:
    unsigned int KERNEL_SOURCE

SOURCE = KERNEL_SOURCE


@cython.final
cdef class SpreadTerm:
    """One soft constraint: how many pods count on each node."""

    def __init__(self, bint by_node, values, pods, has, double base):
        """`values`: number of the domain by node row; `pods`: by node row if `by_node`, else by number of the domain;
        `has`: whether the node has the label, None where all have; `base`: maxSkew - 1."""
        self.by_node, self.values, self.pods, self.has, self.base = by_node, values, pods, has, base
        self.has_all = has is None
        self.most_domains = 0 if by_node or not len(values) else int(values.max() - values.min()) + 1


@cython.final
cdef class DomainLimit:
    """How many matching pods a domain may hold: one constraint of hard spreading, or of required anti-affinity.

    Twin of `_Domains` and `_Pairs` in `scheduler/plugins`.
    """

    def __init__(self, values, has, pods, long long most, exists, Py_ssize_t least_domains):
        """`values`, `has`: as of `SpreadTerm`; `pods`: by number of the domain; `most`: pods a domain may hold, beyond
        the emptiest one if it is spreading; `exists`: domains that count there, None: it is anti-affinity;
        `least_domains`: with fewer of them the emptiest one counts as empty."""
        self.values, self.has, self.pods, self.most, self.exists = values, has, pods, most, exists
        self.has_all, self.spreads, self.least_domains = has is None, exists is not None, least_domains


@cython.final
cdef class Columns:
    """What one template finds on the nodes, as long as these columns are in use; shapes (nodes,)."""

    def __init__(self, passes, fits, scores, weights, terms, bint all_keys, soft_taints, layout, limits):
        """`scores`: points, and of these allocation and balance without their weights. `weights`: of allocation,
        balance, spreading and taints. `soft_taints`: how many the pod does not tolerate; None where no node has any.
        `layout`: what each plugin gives, in order: -1, -2, -3 and -4 are allocation, balance, spreading and taints, other
        numbers points that all nodes get. `limits`: of domains."""
        self.passes, self.fits = passes, fits
        self.points, self.allocation, self.balance = scores
        self.allocation_weight, self.balance_weight, self.spread_weight, self.taint_weight = weights
        self.soft_taints = soft_taints
        self.terms, self.all_keys, self.layout, self.limits = terms, all_keys, layout, limits
