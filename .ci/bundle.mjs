// Puts the sources, and the packages without binaries and data, into one script: reading many small files takes most of a
// start. The program and the library both run from it.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, transform } from 'esbuild'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const { dependencies, peerDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))

/** Fastify asks for them only where routes have schemas of its own (`OWN_SCHEMAS` in src/protocols/http/app.ts). */
const NEVER_READ = ['@fastify/ajv-compiler', '@fastify/fast-json-stringify-compiler']

/** Packages that stay where npm puts them: those with binaries or data, and the optional ones. All others are inside. */
const OUTSIDE = [...Object.keys({ ...dependencies, ...peerDependencies }), ...NEVER_READ]

/** What the script exports: the program, and the modules of each entry point of the package. Each runs when it is called. */
const ENTRY = `
export const main = () => import('./cli/main.ts')
export const index = () => require('./index.ts')
export const testing = () => require('./testing.ts')
export const scenarioThread = () => require('./compose/scenario-thread.ts')`
const LIBRARY = ['index', 'testing']

/**
 * Writes the bundle into a folder. `whereIs` gives the address of a source: an expression that may name `HERE`. `others` are
 * files of other parts of the package, whose licences belong to it too. Returns the files that the script is made of.
 */
export async function bundle(folder, others, whereIs) {
  const common = {
    absWorkingDir: ROOT,
    outdir: folder,
    bundle: true,
    platform: 'node',
    target: 'node20',
    metafile: true,
    logLevel: 'warning',
    // THIRD-PARTY.txt has them.
    legalComments: 'none',
  }
  const own = {
    ...common,
    external: [...OUTSIDE, `./${IMPORTER}`],
    plugins: [
      { name: 'place', setup: (build) => build.onLoad({ filter: OWN }, (file) => placed(file.path, whereIs)) },
      { name: 'yoga', setup: (build) => build.onLoad({ filter: YOGA }, (file) => atOnce(file.path)) },
      ...UNUSED.map(({ name, filter, contents }) => ({
        name,
        setup: (build) => build.onLoad({ filter }, () => ({ contents })),
      })),
      { name: 'packages', setup: (build) => build.onLoad({ filter: PACKAGES }, (file) => withShortNames(file.path)) },
    ],
  }
  // One script for the program and the library, since Node can keep the compiled code of scripts only.
  const built = await build({
    ...own,
    stdin: { contents: ENTRY, resolveDir: join(ROOT, 'src'), loader: 'ts' },
    entryNames: 'program-[hash]',
    format: 'cjs',
    // A script cannot import modules without a warning.
    supported: { 'dynamic-import': false },
    outExtension: { '.js': '.cjs' },
    banner: { js: SCRIPT_BEGINS },
    // Names of our own modules stay, and lines are short, so that a stack trace says where it was.
    minifyWhitespace: true,
    minifySyntax: true,
    lineLimit: 160,
  })
  const [output] = Object.keys(built.metafile.outputs)
  const script = basename(output)
  writeFileSync(join(ROOT, output), inAscii(readFileSync(join(ROOT, output), 'utf8')))
  await build({
    ...common,
    entryPoints: { backlot: 'src/cli/launcher.ts' },
    format: 'esm',
    define: { SCRIPT: JSON.stringify(script), DESK: JSON.stringify('./desk.js') },
  })
  // The client of desktops, without what only a server loads.
  const client = await build({
    ...common,
    entryPoints: { desk: 'src/protocols/desk/client/main.ts' },
    format: 'esm',
    external: ['*/execute.ts'],
    minifyWhitespace: true,
    minifySyntax: true,
  })
  writeFileSync(join(folder, IMPORTER), 'module.exports = (url) => import(url)\n')
  for (const name of LIBRARY) {
    writeFileSync(join(folder, `${name}.cjs`), `module.exports = require('./${script}').${name}()\n`)
    writeFileSync(join(folder, `${name}.js`), moduleOf(name, await exportsOf(`src/${name}.ts`), script))
  }
  const inputs = [...new Set([built, client].flatMap(({ metafile }) => Object.keys(metafile.inputs)))]
  writeFileSync(join(folder, 'THIRD-PARTY.txt'), licences([...inputs, ...others]))
  return inputs
}

/** A module that exports what a part of the script does. */
const moduleOf = (name, exported, script) =>
  `import { createRequire } from 'node:module'
export const { ${exported.join(', ')} } = createRequire(import.meta.url)('./${script}').${name}()
`

/** The names of the values that a source exports. */
async function exportsOf(source) {
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: [source],
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    write: false,
    outfile: 'names.js',
    metafile: true,
  })
  return Object.values(metafile.outputs)[0].exports
}

/** Sources find the files beside them by it. */
const SCRIPT_BEGINS = `const HERE = require('node:url').pathToFileURL(__filename).href`

/** Regular expressions and comments are left as they are by the bundler; the launcher reads letters of one byte. */
const inAscii = (script) =>
  script.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** A file of the user is imported by it: Node reads it as usual, while `import()` in the script is a `require`. */
const IMPORTER = 'import.cjs'

const OWN = /\/(src|conformance)\/[^:]*\.ts$/

/** A source that still finds the files beside it, though it has moved. Names inside of functions are shortened, others are not. */
async function placed(path, whereIs) {
  const source = readFileSync(path, 'utf8')
    .replaceAll('import.meta.url', whereIs(relative(ROOT, path)))
    .replaceAll('import(url)', `require('./${IMPORTER}')(url)`)
  const { code } = await transform(source, {
    loader: 'ts',
    minifyIdentifiers: true,
    target: 'node20',
    logLevel: 'silent',
  })
  return { loader: 'js', contents: code }
}

/** It validates forms that a client fills in, which this server never requests. */
const noValidator = (name) => `
export class ${name} {
  getValidator() {
    throw new Error('forms are not requested from clients')
  }
}`

/** Parts of packages that never run here, with the least that still loads. */
const UNUSED = [
  // Each saves 0.2 MB of ajv.
  {
    name: 'no-forms',
    filter: /@modelcontextprotocol\/sdk\/dist\/esm\/validation\/ajv-provider\.js$/,
    contents: noValidator('AjvJsonSchemaValidator'),
  },
  {
    name: 'no-stateless-forms',
    filter: /@modelcontextprotocol\/server\/dist\/shimsNode\.mjs$/,
    contents: `export { default as process } from 'node:process'${noValidator('DefaultJsonSchemaValidator')}`,
  },
  // Messages are in English; the other languages are 0.3 MB.
  {
    name: 'no-locales',
    filter: /\/zod\/v4\/locales\/([a-df-hj-z][\w-]+|e[os]|i[dst])\.c?js$/,
    contents: 'export default () => ({ localeError: () => undefined })',
  },
  // Schemas are compiled by it on request, which nobody does.
  {
    name: 'no-compiler',
    filter: /\/zod\/v4\/core\/compile\.c?js$/,
    contents: 'export let INVALID, compile, compileFn, withParser, ZodCompileAsyncError, ZodCompileUnsupportedError',
  },
  // Only the default metrics of prom-client read traces; this server has its own metrics.
  { name: 'no-traces', filter: /@opentelemetry\/api\/.*\.c?js$/, contents: 'module.exports = {}' },
]

const PACKAGES = /\/node_modules\/.*\.[cm]?js$/

/** A source of a package with short names inside its functions, which makes the script 0.3 MB smaller. */
async function withShortNames(path) {
  const source = readFileSync(path, 'utf8')
  const { code } = await transform(source, {
    loader: 'js',
    minifyIdentifiers: true,
    target: 'node20',
    logLevel: 'silent',
  })
  return { loader: 'js', contents: code }
}

const YOGA = /yoga-layout\/dist\/src\/index\.js$/

/** Yoga without waiting for its binary to be compiled, which a script cannot do while it is read. */
function atOnce(path) {
  const glue = readFileSync(join(path, '../../binaries/yoga-wasm-base64-esm.js'), 'utf8')
  const [binary] = /(?<=base64,)[\w+/]+=*/.exec(glue)
  return {
    contents: `
${glue.replace(binary, '').replace('import.meta.url', "''").replace('export default loadYoga', '')}
import wrapAssembly from './wrapAssembly.js'
const yoga = {
  instantiateWasm(imports, ready) {
    const binary = new WebAssembly.Module(Buffer.from('${binary}', 'base64'))
    const instance = new WebAssembly.Instance(binary, imports)
    ready(instance)
    return instance.exports
  },
}
loadYoga(yoga)
export default wrapAssembly(yoga)
export * from './generated/YGEnums.js'`,
    resolveDir: dirname(path),
  }
}

/** The licences of the packages that files came from. Packages with the same terms share one text, below their copyrights. */
function licences(files) {
  const packages = new Set(files.flatMap((file) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? []))
  const groups = new Map()
  for (const { heading, terms } of [...packages].sort().map(licence)) {
    const key = terms.replace(/\s+/g, ' ')
    const group = groups.get(key)
    if (group) group.headings.push(heading)
    else groups.set(key, { headings: [heading], terms })
  }
  return [...groups.values()].map(({ headings, terms }) => `${headings.join('\n')}\n\n${terms}\n`).join('\n\n')
}

const COPYRIGHT = /^\W*(copyright\b(?! notice| holder| owner)|\(c\)|©).*$/i

/** The name of a package with its copyrights, and the terms of its licence. */
function licence(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'))
  const file = readdirSync(join(ROOT, folder)).find((each) => /^licen[cs]e/i.test(each))
  const lines = (file ? readFileSync(join(ROOT, folder, file), 'utf8').trim() : '').split('\n')
  const isShared = license === 'MIT' || license === 'ISC'
  const copyrights = isShared ? lines.filter((line) => COPYRIGHT.test(line)).map((line) => `  ${line.trim()}`) : []
  const terms = isShared ? lines.filter((line) => !COPYRIGHT.test(line)) : lines
  return { heading: [`${name} ${version} (${license})`, ...copyrights].join('\n'), terms: terms.join('\n').trim() }
}
