"""Files of measured series: answers of Prometheus, exposition text, tables of Grafana."""
