from planner.cli.progress import Progress


def test_without_a_terminal_each_run_of_a_search_is_a_line(capsys):
    with Progress() as progress:
        for run, factor in ((1, 1.0), (2, 2.0)):
            for done in (0.1, 0.5, 1.0):
                progress.show_search(run, factor, done)
    assert capsys.readouterr().err.splitlines() == ["run 1: 1 times the load", "run 2: 2 times the load"]
