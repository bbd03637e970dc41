// Packages of the workspace hold sources, which Node does not run inside of node_modules.
console.error(
  'This folder is not what is published. "npm run build" writes the packages to dist/, "npm run pack" their tarballs.',
)
process.exitCode = 1
