"""What turns events of runs, files, searches, exports and imports into messages with a remedy."""

from typing import TYPE_CHECKING

from ui.experiments.experiment_messages import ExperimentMessages
from ui.headroom.headroom_messages import HeadroomMessages
from ui.shell.autosave_messages import AutosaveMessages
from ui.shell.features.exports import ExportsInWindow
from ui.shell.features.manifests import ManifestsInWindow
from ui.shell.file_messages import FileMessages
from ui.shell.run_messages import RunMessages
from ui.transfer.export_messages import ExportMessages
from ui.transfer.manifest_messages import ManifestMessages

if TYPE_CHECKING:
    from ui.shell.main_window import MainWindow


class MessagesInWindow:
    """Connects the message bar and the status line of a window whose parts are made."""

    def __init__(self, window: "MainWindow") -> None:
        self._window = window
        self.runs = self._about_runs()
        self.files = self._about_files()
        self.exports = self._about_exports()
        self.manifests = self._about_manifests()
        self._about_experiments()

    def _about_runs(self) -> RunMessages:
        """Of runs, and of the search for the headroom."""
        window, work, bar = self._window, self._window.workspace, self._window.messages
        made = RunMessages(window.controller, window.session, bar, work.editor, window.controls.run_action, window)
        work.faults.added.connect(made.offer_run)
        HeadroomMessages(window.search, window.status, bar, work.headroom, window.headroom.show_tab, window)
        window.headroom.failed.connect(made.show_failure)
        return made

    def _about_files(self) -> FileMessages:
        window = self._window
        made = FileMessages(window.document, window.files, window.disk, window.messages, window)
        window.files.in_words = window.workspace.editor.in_words
        AutosaveMessages(window.recovery, window.messages, window)
        made.recovered.connect(window.pages.show_plan)
        return made

    def _about_exports(self) -> ExportsInWindow:
        window = self._window
        messages = ExportMessages(window.status, window.messages, window)
        made = ExportsInWindow(window.session, window.workspace, window.questions, window.settings, messages)
        made.fill(window.actions_.export_menu)
        window.history.connect_plans(window.files, window.theme)
        return made

    def _about_manifests(self) -> ManifestsInWindow:
        """Of manifests and measured series, which come and go by the same menus."""
        window, work = self._window, self._window.workspace
        messages = ManifestMessages(window.document, window.messages, window.theme, window.files.new, window)
        made = ManifestsInWindow(messages, window.questions, window.settings)
        messages.taken.connect(window.pages.show_editor)
        messages.taken.connect(work.editor.show_path)
        work.editor.manifests_pasted.connect(messages.read_text)
        made.fill(window.actions_.import_menu)
        self.exports.manifests_wanted.connect(made.choose_export)
        window.measured.connect_window(messages, window.questions, window.settings, window.pages.show_measured)
        window.measured.fill(window.actions_.import_menu, window.actions_.export_menu)
        window.start.import_files_wanted.connect(made.choose_files)
        window.start.import_folder_wanted.connect(made.choose_folder)
        window.start.import_pasted_wanted.connect(messages.read_clipboard)
        return made

    def _about_experiments(self) -> None:
        window, experiments, pages = self._window, self._window.experiments, self._window.pages
        page, runner, edits = experiments.page, experiments.runner, window.workspace.editor.edits
        messages = ExperimentMessages(runner, window.status, window.messages, page, pages.show_experiments, window)
        runner.failed.connect(self.runs.show_failure)
        page.when_made(lambda place: place.failed.connect(self.runs.show_failure))
        edits.variant_wanted.connect(experiments.begin_variant)
        edits.sizes_wanted.connect(experiments.ask_sizes)
        self.exports.answers_about = experiments.answers_about
        page.when_made(lambda place: place.apply_wanted.connect(window.measured.proposed))
        page.when_made(lambda place: place.report_wanted.connect(self.exports.choose_report_of_answer))
        experiments.connect_files(window.questions, window.settings)
        cursor = window.workspace.cursor_time
        experiments.connect_runs(window.controller, window.session, pages.show_plan, cursor.move)
        experiments.connect_controls(window.controls, messages, window.show_place)
