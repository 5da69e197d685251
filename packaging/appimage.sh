#!/bin/sh
# Makes an AppImage of dist/headroom. appimagetool is not packaged anywhere; get it from its project's releases and say
# where it is. It looks for its run time beside itself or fetches it.
# Usage: APPIMAGETOOL=/path/to/appimagetool packaging/appimage.sh        (after: make package)
set -eu
cd "$(dirname "$0")/.."
program=dist/headroom
folder=build/Headroom.AppDir

fail() { echo "headroom package: $*" >&2; exit 2; }
[ -n "${APPIMAGETOOL:-}" ] || fail "set APPIMAGETOOL to the path of appimagetool."
[ -x "$APPIMAGETOOL" ] || fail "$APPIMAGETOOL is not a program."
[ -x "$program/headroom" ] || fail "$program is missing; type: make package"

rm -rf "$folder"
mkdir -p "$folder/usr/share/applications" "$folder/usr/share/mime/packages"
cp -R "$program" "$folder/headroom"
ln -s headroom/headroom "$folder/AppRun"
cp packaging/desktop/headroom.desktop "$folder/"
ln -s ../../../headroom.desktop "$folder/usr/share/applications/headroom.desktop"
cp packaging/desktop/headroom.xml "$folder/usr/share/mime/packages/"
cp -R "$program/lib/share/." "$folder/usr/share/"
cp resources/icons/headroom.svg "$folder/"
ln -s headroom.svg "$folder/.DirIcon"

version=$(sed -n 's/^__version__ = "\(.*\)"$/\1/p' planner/__init__.py)
machine=$(uname -m)
ARCH=$machine "$APPIMAGETOOL" "$folder" "dist/Headroom-$version-$machine.AppImage"
