"""What the editor adds to the window's style sheet."""

from string import Template

from ui.theme.theme import Theme

_STYLE = Template("""
#planFormCard { background: $panel; border: 1px solid $border; border-radius: 8px; }
#formPages { background: $panel; }
#planEditor QToolButton { border: 1px solid transparent; border-radius: 5px; padding: 2px; color: $text; }
#planEditor QToolButton:hover { background: $raised; border-color: $border; }
#planEditor QToolButton:focus { border-color: $accent; }
#planEditor QToolButton#foldTitle { font-weight: 600; padding: 2px 4px 2px 0; }
#planEditor QToolButton:checked { background: transparent; }
#planEditor QToolButton#manifestSwitch { padding: 2px 8px; }
#planEditor QToolButton#manifestSwitch:checked { background: $raised; border-color: $border; }
#planEditor QToolButton#columnChooser { padding: 3px 18px 3px 8px; border-color: $border; }
#planEditor QToolButton#foldTitle:disabled { color: $muted; }
#formPages QLabel { color: $muted; }
#formPages *[mark="PROBLEM"] { border: 1px solid $bad; }
#formPages *[mark="HINT"] { border: 1px solid $warn; }
""")


def editor_style(theme: Theme) -> str:
    """The style sheet in the colours of a theme."""
    return _STYLE.substitute(panel=theme.panel, border=theme.border, raised=theme.raised, text=theme.text,
                             muted=theme.muted, accent=theme.accent, bad=theme.bad, warn=theme.warn)  # fmt: skip
