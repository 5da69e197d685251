; Installer for Windows, by Inno Setup 6: iscc /DVersion=0.1.0 packaging\windows\headroom.iss   (after packaging\build.py frozen)
; Installs for the user alone unless an administrator chooses otherwise.
#ifndef Version
  #error Say the version: iscc /DVersion=0.1.0 headroom.iss
#endif

[Setup]
AppId=org.headroom.Headroom
AppName=Headroom
AppVersion={#Version}
AppPublisher=The Headroom authors
DefaultDirName={autopf}\Headroom
DefaultGroupName=Headroom
PrivilegesRequired=lowest
PrivilegesRequiredOverridesAllowed=dialog
ArchitecturesAllowed=x64compatible
ArchitecturesInstallIn64BitMode=x64compatible
ChangesAssociations=yes
ChangesEnvironment=yes
LicenseFile=..\..\LICENSE
SetupIconFile=..\..\build\drawn\headroom.ico
UninstallDisplayIcon={app}\headroom.exe
SourceDir=.
OutputDir=..\..\dist
OutputBaseFilename=headroom-{#Version}-windows-setup
Compression=lzma2
SolidCompression=yes

[Languages]
Name: "en"; MessagesFile: "compiler:Default.isl"
Name: "ko"; MessagesFile: "compiler:Languages\Korean.isl"

[Tasks]
Name: "path"; Description: "headroom as a command (PATH)"

[Files]
Source: "..\..\dist\headroom\*"; DestDir: "{app}"; Flags: recursesubdirs ignoreversion
Source: "..\..\build\drawn\headroom-plan.ico"; DestDir: "{app}"

[Icons]
Name: "{group}\Headroom"; Filename: "{app}\headroom.exe"

[Registry]
Root: HKA; Subkey: "Software\Classes\.headroom"; ValueType: string; ValueData: "org.headroom.plan"; Flags: uninsdeletevalue
Root: HKA; Subkey: "Software\Classes\org.headroom.plan"; ValueType: string; ValueData: "Headroom plan"; Flags: uninsdeletekey
Root: HKA; Subkey: "Software\Classes\org.headroom.plan\DefaultIcon"; ValueType: string; ValueData: "{app}\headroom-plan.ico"
Root: HKA; Subkey: "Software\Classes\org.headroom.plan\shell\open\command"; ValueType: string; ValueData: """{app}\headroom.exe"" ""%1"""
Root: HKCU; Subkey: "Environment"; ValueType: expandsz; ValueName: "Path"; ValueData: "{olddata};{app}"; Tasks: path; Check: IsNotOnPath

[Code]
function IsNotOnPath: Boolean;
var
  Known: String;
begin
  if not RegQueryStringValue(HKCU, 'Environment', 'Path', Known) then
    Known := '';
  Result := Pos(';' + Uppercase(ExpandConstant('{app}')) + ';', ';' + Uppercase(Known) + ';') = 0;
end;
