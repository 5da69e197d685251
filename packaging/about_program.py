"""What Windows and macOS are to know of the program and its plan files, for `headroom.spec` and the installers."""

IDENTIFIER = "org.headroom.Headroom"
PLAN_TYPE = "org.headroom.plan"
ENDING = "headroom"
_TEXTS = {
    "CompanyName": "The Headroom authors",
    "FileDescription": "Headroom, a Kubernetes cluster capacity planner",
    "InternalName": "headroom",
    "OriginalFilename": "headroom.exe",
    "ProductName": "Headroom",
}
_ENGLISH, _UNICODE = 0x0409, 1200


def version_resource(version: str) -> str:
    """The version resource of the Windows program, in the form that PyInstaller reads."""
    numbers = [int(part) for part in version.split(".")]
    numbers = (numbers + [0, 0, 0, 0])[:4]
    texts = _TEXTS | {"FileVersion": version, "ProductVersion": version}
    entries = ", ".join(f"StringStruct({name!r}, {text!r})" for name, text in texts.items())
    return (
        f"VSVersionInfo(ffi=FixedFileInfo(filevers={tuple(numbers)}, prodvers={tuple(numbers)}, mask=0x3F, flags=0, "
        f"OS=0x40004, fileType=1, subtype=0, date=(0, 0)), kids=["
        f"StringFileInfo([StringTable('{_ENGLISH:04x}{_UNICODE:04x}', [{entries}])]), "
        f"VarFileInfo([VarStruct('Translation', [{_ENGLISH}, {_UNICODE}])])])\n"
    )


def information_list(version: str) -> dict[str, object]:
    """What the Info.plist of the macOS bundle says beside PyInstaller's own entries: the type of plan files."""
    return {
        "CFBundleShortVersionString": version,
        "CFBundleVersion": version,
        "NSHighResolutionCapable": True,
        "CFBundleDocumentTypes": [
            {
                "CFBundleTypeName": "Headroom plan",
                "CFBundleTypeRole": "Editor",
                "CFBundleTypeIconFile": "headroom-plan.icns",
                "LSHandlerRank": "Owner",
                "LSItemContentTypes": [PLAN_TYPE],
            }
        ],
        "UTExportedTypeDeclarations": [
            {
                "UTTypeIdentifier": PLAN_TYPE,
                "UTTypeDescription": "Headroom plan",
                "UTTypeConformsTo": ["public.json"],
                "UTTypeTagSpecification": {
                    "public.filename-extension": [ENDING],
                    "public.mime-type": ["application/vnd.headroom.plan+json"],
                },
            }
        ],
    }
