"""What the window offers beside the plan and its runs: each file joins one of these to menus, messages and dialogs."""
