# SPDX-License-Identifier: Apache-2.0
"""Sphinx' settings for the documentation site; tools/site.py copies the pages beside this file and builds.

Everything is served from the folder itself: no fonts, scripts or pictures from elsewhere."""
import os

project = "torsor"
author = "the authors of torsor"
copyright = "the authors of torsor; Apache License 2.0"  # noqa: A001, Sphinx' name
release = version = os.environ.get("TORSOR_VERSION", "")

extensions = ["myst_parser", "sphinx_copybutton"]
source_suffix = {".md": "markdown"}
exclude_patterns = ["README.md", "site"]
myst_heading_anchors = 4
myst_enable_extensions = ["deflist"]
suppress_warnings = ["myst.header", "misc.highlighting_failure"]  # a page may skip a level, and show a piece of a file

# blocks without a language are equations and what the program prints
highlight_language = "none"
pygments_style = "friendly"
pygments_dark_style = "native"
copybutton_prompt_text = r"\$ "
copybutton_prompt_is_regexp = True

html_theme = "furo"
html_title = f"torsor {version}".strip()
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_favicon = "_static/favicon.svg"
html_copy_source = False
html_show_sphinx = False
html_last_updated_fmt = None
html_show_search_summary = False  # needs a web server
html_theme_options = {
    "light_css_variables": {
        "font-stack": "system-ui, -apple-system, 'Segoe UI', 'Noto Sans', 'DejaVu Sans', sans-serif",
        "font-stack--monospace": "ui-monospace, 'SFMono-Regular', 'DejaVu Sans Mono', monospace",
        "color-brand-primary": "#155e75",
        "color-brand-content": "#0e6580",
    },
    "dark_css_variables": {
        "color-brand-primary": "#7cc7dd",
        "color-brand-content": "#7cc7dd",
    },
}
