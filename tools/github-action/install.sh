#!/usr/bin/env bash
# Builds the tool from the checkout of the GitHub Action and installs it, unless the cache had it. Puts it on the PATH of later steps.
set -euo pipefail
if [ ! -e "$XDS_ACTION_FOLDER/action.mjs" ]; then
  cd "$GITHUB_ACTION_PATH"
  mkdir -p "$XDS_ACTION_FOLDER"
  echo '::group::Install xds-inspect'
  npm ci --ignore-scripts --no-audit --no-fund
  npm pack --pack-destination "$XDS_ACTION_FOLDER"
  npm install --prefix "$XDS_ACTION_FOLDER" --offline --no-audit --no-fund "$XDS_ACTION_FOLDER"/xds-inspect-*.tgz
  rm "$XDS_ACTION_FOLDER"/xds-inspect-*.tgz
  # Written last: its presence means that the installation is complete.
  npx --no-install esbuild tools/github-action/main.mts --bundle --platform=node --target=node20 --format=esm --outfile="$XDS_ACTION_FOLDER/action.mjs" --log-level=warning
  echo '::endgroup::'
fi
echo "$XDS_ACTION_FOLDER/node_modules/.bin" >>"$GITHUB_PATH"
