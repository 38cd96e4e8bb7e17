// Builds the package into dist: the bundle that it runs from, its types, and beside them the compiler's own modules, with
// the files they read.
import { execFileSync } from 'node:child_process'
import { copyFileSync, cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, extname } from 'node:path'
import { bundle } from './bundle.mjs'
import { rollUpTypes } from './types.mjs'
import { buildViewer } from './viewer.mjs'

process.chdir(new URL('..', import.meta.url).pathname)
rmSync('dist', { recursive: true, force: true })
// By its path, since TypeScript 6 beside it brings a program of the same name.
execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'], { stdio: 'inherit' })
const read = (path) => !['.ts', '.tsx'].includes(extname(path))
for (const folder of ['src', 'conformance']) cpSync(folder, `dist/${folder}`, { recursive: true, filter: read })
const viewer = await buildViewer()
mkdirSync('dist/src/viewer/built', { recursive: true })
writeFileSync('dist/src/viewer/built/viewer.js', viewer.script)
writeFileSync('dist/src/viewer/built/viewer.css', viewer.style)
// The users' package has these fonts, and not the packages that they come from.
const { SHIPPED_FONTS } = await import('../dist/src/paint/text/faces.js')
const fonts = SHIPPED_FONTS.map((specifier) => `node_modules/${specifier}`)
mkdirSync('dist/fonts', { recursive: true })
for (const font of fonts) copyFileSync(font, `dist/fonts/${basename(font)}`)
await bundle(
  'dist/bundle',
  [...viewer.inputs, ...fonts],
  (source) => `new URL(${JSON.stringify(`../${source}`)}, HERE).href`,
)
await rollUpTypes('dist/src', 'dist/types')
