// Builds the package into dist: the bundle that it runs from, its types, and beside them the compiler's own modules, with
// the files they read. With --without-types it leaves out the types and those modules, which take most of the time.
import { execFileSync } from 'node:child_process'
import { copyFileSync, cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, extname } from 'node:path'
import { tsImport } from 'tsx/esm/api'
import { bundle } from './bundle.mjs'
import { buildViewer } from './viewer.mjs'

process.chdir(new URL('..', import.meta.url).pathname)
const hasTypes = !process.argv.includes('--without-types')
rmSync('dist', { recursive: true, force: true })
// By its path, since TypeScript 6 beside it brings a program of the same name.
const compile = ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json']
if (hasTypes) execFileSync(process.execPath, compile, { stdio: 'inherit' })
const read = (path) => !['.ts', '.tsx'].includes(extname(path))
for (const folder of ['src', 'conformance']) cpSync(folder, `dist/${folder}`, { recursive: true, filter: read })
const viewer = await buildViewer()
mkdirSync('dist/src/viewer/built', { recursive: true })
writeFileSync('dist/src/viewer/built/viewer.js', viewer.script)
writeFileSync('dist/src/viewer/built/viewer.css', viewer.style)
// The users' package has these fonts, and not the packages that they come from.
const { SHIPPED_FONTS } = await tsImport('../src/paint/canvas/faces.ts', import.meta.url)
const fonts = SHIPPED_FONTS.map((specifier) => `node_modules/${specifier}`)
mkdirSync('dist/fonts', { recursive: true })
for (const font of fonts) copyFileSync(font, `dist/fonts/${basename(font)}`)
await bundle(
  'dist/bundle',
  [...viewer.inputs, ...fonts],
  (source) => `new URL(${JSON.stringify(`../${source}`)}, HERE).href`,
)
// It loads a compiler, which takes a second.
if (hasTypes) await (await import('./types.mjs')).rollUpTypes('dist/src', 'dist/types')
