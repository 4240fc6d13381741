"""A contract for import-linter: packages are used through their interfaces, never by their files."""

from importlinter import Contract, ContractCheck, output

from tools.interfaces import FACADES, package_of


class InterfaceContract(Contract):
    """No module imports a file of another package: only the package itself."""

    def check(self, graph, verbose: bool) -> ContractCheck:  # type: ignore[no-untyped-def]
        """Look at every import."""
        wrong = [
            f"{importer} imports {imported}"
            for importer in sorted(graph.modules - FACADES)
            for imported in sorted(graph.find_modules_directly_imported_by(importer))
            if package_of(importer) != package_of(imported) != imported
            for one in graph.get_import_details(importer=importer, imported=imported)
            if not one["line_contents"].startswith(f"from {package_of(imported)} import ")  # a namespace it exports
        ]
        return ContractCheck(kept=not wrong, metadata={"wrong": wrong})

    def render_broken_contract(self, check: ContractCheck) -> None:
        """List the imports that go around an interface."""
        for line in check.metadata["wrong"]:
            output.print_error(line)
            output.new_line()
