"""Cases of the Vertical Pod Autoscaler."""

from tests.conformance.vpa.pods import admission, update_order
from tests.conformance.vpa.recommender import histogram, recommendation

FAMILIES = {
    "histogram": histogram,
    "recommendation": recommendation,
    "update_order": update_order,
    "admission": admission,
}
