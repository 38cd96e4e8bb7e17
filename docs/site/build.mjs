// Builds the documentation site into reports/site: guides, command line, configuration, API, protocols, scenario schema, playground.
// `npm run docs` runs it. Its tools are packages of this folder, installed on the first run and when the lock changes.
import { execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rollUpTypes } from '../../.ci/types.mjs'
import { checkLinks } from './links.mjs'
import { buildPlayground } from './playground/build.mjs'
import { protocolPage } from './schema.mjs'

const HERE = fileURLToPath(new URL('.', import.meta.url))
const ROOT = join(HERE, '../..')
const PAGES = join(HERE, '.pages')
const SITE = join(ROOT, 'reports/site')
const TYPES = join(HERE, '.types')

install()
for (const folder of [PAGES, SITE, TYPES]) rmSync(folder, { recursive: true, force: true })
mkdirSync(PAGES)
copyGuides()
const protocols = writeReference()
run(process.execPath, ['--import', 'tsx', join(HERE, 'cli.ts'), join(PAGES, 'cli.md')])
await writeApi()
writeFileSync(join(PAGES, 'sidebar.json'), JSON.stringify(sidebar(protocols)))
run(join(HERE, 'node_modules/.bin/vitepress'), ['build', HERE])
await buildPlayground(join(SITE, 'playground'))
const dead = checkLinks(SITE)
if (dead.length > 0) throw new Error(`dead links:\n${dead.join('\n')}`)
console.log(`${SITE}/index.html`)

function run(program, args) {
  execFileSync(program, args, { cwd: ROOT, stdio: ['ignore', 'inherit', 'inherit'] })
}

function install() {
  const installed = join(HERE, 'node_modules/.package-lock.json')
  if (existsSync(installed) && statSync(installed).mtimeMs > statSync(join(HERE, 'package-lock.json')).mtimeMs) return
  run('npm', ['ci', '--prefix', HERE])
}

/** Copies all Markdown files to the same relative paths, so that the links between them stay valid. */
function copyGuides() {
  for (const name of readdirSync(join(ROOT, 'docs')).filter((name) => !['site', 'reference'].includes(name)))
    cpSync(join(ROOT, 'docs', name), join(PAGES, 'docs', name), { recursive: true })
  for (const name of ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md']) cpSync(join(ROOT, name), join(PAGES, name))
  // Files that guides link to are served as they are.
  for (const folder of ['examples', 'scaling', 'images'])
    cpSync(join(ROOT, 'docs', folder), join(PAGES, 'public/docs', folder), {
      recursive: true,
      filter: (path) => !path.endsWith('.md'),
    })
  for (const folder of ['src', 'conformance', 'fuzz', 'fixtures', 'skills'])
    for (const path of readdirSync(join(ROOT, folder), { recursive: true }).filter((path) => path.endsWith('.md')))
      cpSync(join(ROOT, folder, path), join(PAGES, folder, path))
  for (const path of readdirSync(PAGES, { recursive: true }).filter((path) => path.endsWith('.md'))) {
    const text = readFileSync(join(PAGES, path), 'utf8').replace(/<!--.*?-->\n?/gs, '')
    writeFileSync(
      join(PAGES, path),
      text.replace(/(?<=\]\()[^)#]*README\.md/g, (link) => startPage(path, link)),
    )
  }
  renameSync(join(PAGES, 'README.md'), join(PAGES, 'index.md'))
  const decisions = readdirSync(join(PAGES, 'docs/decisions')).map((name) => linkTo('docs/decisions', name))
  writeFileSync(
    join(PAGES, 'docs/decisions/index.md'),
    `# Decisions\n\nThe design decisions, with their reasons and costs.\n\n${decisions.join('\n')}\n`,
  )
  const requirements = readdirSync(join(PAGES, 'docs/requirements')).map((name) => linkTo('docs/requirements', name))
  const summary = 'The requirements that `backlot certify` and `backlot certify-client` check, by protocol.'
  writeFileSync(
    join(PAGES, 'docs/requirements/index.md'),
    `# Conformance requirements\n\n${summary}\n\n${requirements.join('\n')}\n`,
  )
}

/** Links to the README of the repository become links to the start page. */
function startPage(page, link) {
  return join(dirname(page), link) === 'README.md' ? link.replace('README.md', 'index.md') : link
}

function linkTo(folder, name) {
  return `- [${titleOf(join(PAGES, folder, name))}](${name})`
}

function titleOf(path) {
  return /^# (.*)$/m.exec(readFileSync(path, 'utf8'))[1]
}

/** Writes a page for each protocol, and copies the page of scenario files and the machine-readable documents. */
function writeReference() {
  const from = join(ROOT, 'docs/reference')
  const into = join(PAGES, 'docs/reference')
  mkdirSync(into, { recursive: true })
  const names = readdirSync(from)
  for (const name of names.filter((name) => name.endsWith('.json'))) {
    mkdirSync(join(PAGES, 'public/docs/reference'), { recursive: true })
    cpSync(join(from, name), join(PAGES, 'public/docs/reference', name))
  }
  const read = (name) => JSON.parse(readFileSync(join(from, name), 'utf8'))
  const protocols = [...new Set(names.map((name) => name.split('.')[0]))].filter(
    (name) => !/^(?:scenario|gallery)/.test(name),
  )
  const documentsOf = (protocol) => names.filter((name) => name.startsWith(`${protocol}.`))
  for (const protocol of protocols) {
    const documents = documentsOf(protocol).map((name) => ({ name, document: read(name) }))
    writeFileSync(join(into, `${protocol}.md`), protocolPage(documents))
  }
  const page = readFileSync(join(from, 'scenario.md'), 'utf8')
  writeFileSync(
    join(into, 'scenario.md'),
    page.replace(/\]\((scenario[\w.-]*\.json)\)/g, '](/docs/reference/$1){target="_self"}'),
  )
  const list = [...protocols, 'scenario'].map((name) => linkTo('docs/reference', `${name}.md`))
  const summary = 'The routes and messages of each protocol, and the schema of scenario files. Generated from the code.'
  writeFileSync(join(into, 'index.md'), `# Reference\n\n${summary}\n\n${list.join('\n')}\n`)
  return protocols
}

/** Writes the pages of the public API from the type declarations of the package. */
async function writeApi() {
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
  run(process.execPath, [tsc, '-p', 'tsconfig.build.json', '--emitDeclarationOnly', '--outDir', join(TYPES, 'emitted')])
  await rollUpTypes(join(TYPES, 'emitted/src'), TYPES)
  run(join(HERE, 'node_modules/.bin/typedoc'), ['--options', join(HERE, 'typedoc.json')])
}

/** The guides in the order of the sidebar. New guides come last. */
function guideNames() {
  const first = [
    'front-doors',
    'write-an-agent',
    'computer-tools',
    'desk',
    'scenarios',
    'styles',
    'cookbook',
    'editors',
    'testing',
    'evaluate',
    'bench',
    'agents',
    'certify',
    'real-desktops',
    'configuration',
  ]
  const all = readdirSync(join(PAGES, 'docs')).filter((name) => name.endsWith('.md'))
  return [...new Set([...first, ...all.map((name) => basename(name, '.md'))])]
}

function sidebar(protocols) {
  const guides = guideNames()
  const page = (path) => ({ text: titleOf(join(PAGES, `${path}.md`)), link: `/${path}` })
  const inFolder = (folder) =>
    readdirSync(join(PAGES, folder))
      .filter((name) => name.endsWith('.md') && name !== 'index.md')
      .map((name) => page(`${folder}/${basename(name, '.md')}`))
  return [
    { text: 'Start', link: '/' },
    {
      text: 'Guides',
      items: guides.map((name) => page(`docs/${name}`)),
    },
    {
      text: 'Reference',
      items: [
        { text: 'Command line', link: '/cli' },
        { text: 'API', link: '/api/' },
        { text: 'Scenario files', link: '/docs/reference/scenario' },
        ...protocols.map((name) => page(`docs/reference/${name}`)),
      ],
    },
    { text: 'Conformance requirements', collapsed: true, items: inFolder('docs/requirements') },
    {
      text: 'Project',
      collapsed: true,
      items: [page('CHANGELOG'), page('CONTRIBUTING'), { text: 'Decisions', link: '/docs/decisions/' }],
    },
  ]
}
