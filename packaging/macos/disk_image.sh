#!/bin/sh
# Signs dist/Headroom.app and packs it into a disk image. Without an identity the bundle keeps the ad hoc signature that
# PyInstaller gave it, and macOS asks before it opens it.
# Usage: [SIGNING_IDENTITY="Developer ID Application: ..."] [NOTARY_PROFILE=...] sh packaging/macos/disk_image.sh
# NOTARY_PROFILE is what `xcrun notarytool store-credentials` has stored.
set -eu
cd "$(dirname "$0")/../.."
bundle=dist/Headroom.app
version=$(sed -n 's/^__version__ = "\(.*\)"$/\1/p' planner/__init__.py)
image=dist/headroom-$version-macos-$(uname -m).dmg

[ -d "$bundle" ] || { echo "headroom package: $bundle is missing; type: make package" >&2; exit 2; }
if [ -n "${SIGNING_IDENTITY:-}" ]; then
    codesign --force --deep --options runtime --timestamp --entitlements packaging/macos/entitlements.plist \
        --sign "$SIGNING_IDENTITY" "$bundle"
    codesign --verify --deep --strict "$bundle"
fi
rm -f "$image"
hdiutil create -volname Headroom -srcfolder "$bundle" -format UDZO "$image"
if [ -n "${NOTARY_PROFILE:-}" ]; then
    xcrun notarytool submit "$image" --keychain-profile "$NOTARY_PROFILE" --wait
    xcrun stapler staple "$image"
fi
