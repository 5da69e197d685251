"""One module per kind of manifest. Each has

    KIND, GROUPS                    what it maps: kind and API groups
    read(manifest, draft)           manifest to plan; raises ImportProblem
    write(plan)                     plan to manifests, for an export; absent where nothing can be exported

and a line in registry.py.
"""
