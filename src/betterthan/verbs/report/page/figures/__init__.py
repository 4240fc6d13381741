"""Pictures of the page, drawn by templates as SVG in the page's colours."""
