"""Pictures of the page: places in per cent and rows, drawn by the templates as SVG that follows the page's colours."""
