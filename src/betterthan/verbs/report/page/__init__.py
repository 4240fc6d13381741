"""The report page: template, style and script."""
