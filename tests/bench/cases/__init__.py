"""What is measured. Each module here exports CASES and may export UNITS:

    CASES = {"schedule_1000": place_into_1000_nodes}     figure -> callable that returns {figure: value}
    UNITS = {"schedule_1000": "pods/s"}                  figure -> unit

One callable may report several figures: name it under each of them; it still runs once. A callable
measures itself (what it prepares is not part of the figure) and is called once per process.
"""
