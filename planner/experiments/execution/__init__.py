"""Where runs of an experiment take place: in this process, in processes beside it, or on a Dask cluster."""
