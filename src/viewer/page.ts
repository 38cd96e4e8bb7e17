import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { FastifyInstance } from 'fastify'
import { DATA_ID, ENTRANCE_META, type Entrance } from './model/entrance.ts'

/** What a page shows. */
interface ViewerPage {
  readonly entrance: Entrance
  readonly title: string
}

/** What no page may do. */
const BASIS = ["default-src 'none'", "base-uri 'none'", "form-action 'none'"]

/** The content security policy of a served page: it loads from its own server and connects to no other. */
const SERVED_POLICY = [
  ...BASIS,
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "frame-ancestors 'none'",
].join('; ')

/** A page that loads its script and style from the server at `/viewer.js` and `/viewer.css`. */
export const servedPage = ({ entrance, title }: ViewerPage): string =>
  documentOf(
    title,
    `<meta name="${ENTRANCE_META}" content="${entrance}" />
<link rel="stylesheet" href="/viewer.css" />
<script type="module" src="/viewer.js"></script>`,
    '',
  )

/**
 * A page that is one file, and opens without a server. It can connect to nothing.
 * @param data What it shows, as the entrance reads it: blocks of JSON by name.
 */
export function staticPage(
  { entrance, title }: ViewerPage,
  { script, style }: ViewerAssets,
  data: Readonly<Record<string, unknown>>,
): string {
  // The parser of HTML ends a script at this sequence, also inside of a string.
  const safeScript = script.replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--')
  const policy = [
    ...BASIS,
    'img-src data: blob:',
    `script-src 'sha256-${sha256(safeScript)}'`,
    `style-src 'sha256-${sha256(style)}'`,
  ]
  const blocks = Object.entries(data).map(
    ([name, value]) =>
      `<script type="application/json" id="${escapeHtml(DATA_ID + name)}">${jsonInHtml(value)}</script>`,
  )
  return documentOf(
    title,
    `<meta http-equiv="content-security-policy" content="${escapeHtml(policy.join('; '))}" />
<meta name="${ENTRANCE_META}" content="${entrance}" />
<style>${style}</style>`,
    `${blocks.join('\n')}
<script type="module">${safeScript}</script>`,
  )
}

/** The sign of the page in the tab of a browser. */
const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Crect width='16' height='16' rx='4' fill='%234a43d4'/%3E%3Cpath d='M16 4v8a4 4 0 0 1-4 4H0z' fill='%238d7bff'/%3E%3C/svg%3E"

const documentOf = (title: string, head: string, body: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8" />
<meta name="viewport" content="width=device-width, initial-scale=1" />
<link rel="icon" href="data:," />
<title>${escapeHtml(title)}</title>
<link rel="icon" href="${ICON}" />
${head}
</head>
<body>
<div id="app"></div>
${body}
</body>
</html>
`

const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64')

const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (sign) => `&#${sign.codePointAt(0)};`).replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, ' ')

/** JSON in which no text can end the block that it is in. */
const jsonInHtml = (value: unknown): string => (JSON.stringify(value) ?? 'null').replaceAll('<', '\\u003c')

/** The script and the style sheet of the page. */
interface ViewerAssets {
  readonly script: string
  readonly style: string
}

/** Where the build puts them. Absent in a checkout. */
const BUILT = new URL('./built/', import.meta.url)
/** Prints them as JSON, built from their sources, in a checkout. */
const BUILDER = new URL('../../.ci/viewer.mjs', import.meta.url)

/** The most that the builder may print. */
const MAX_BYTES = 20_000_000

let assets: Promise<ViewerAssets> | undefined

/** Reads the script and the style sheet of the page. In a checkout they are built on first use. */
export const viewerAssets = (): Promise<ViewerAssets> => {
  assets ??= readOrBuild()
  return assets
}

async function readOrBuild(): Promise<ViewerAssets> {
  const file = (name: string) => new URL(name, BUILT)
  if (existsSync(file('viewer.js')))
    return { script: readFileSync(file('viewer.js'), 'utf8'), style: readFileSync(file('viewer.css'), 'utf8') }
  // The bundled program cannot import modules, so the builder is a program of its own.
  const { stdout } = await promisify(execFile)(process.execPath, [fileURLToPath(BUILDER)], { maxBuffer: MAX_BYTES })
  return JSON.parse(stdout) as ViewerAssets
}

const LIVE_PAGE: ViewerPage = { entrance: 'live', title: 'Backlot' }

/** The live entrance, by path: of the first session, and of each other one. */
export const LIVE_PAGES: Readonly<Record<string, ViewerPage>> = { '/': LIVE_PAGE, '/sessions/:sessionId/': LIVE_PAGE }

/** Serves the script and the style of the page, and the page itself at each of the given paths. */
export async function serveViewer(app: FastifyInstance, pages: Readonly<Record<string, ViewerPage>>): Promise<void> {
  const serve = (path: string, type: string, body: () => Promise<string> | string) =>
    app.get(path, { config: { pages: 'link' } }, async (_request, reply) =>
      reply
        .header('content-type', `${type}; charset=utf-8`)
        .header('content-security-policy', SERVED_POLICY)
        .header('cache-control', 'no-cache')
        .header('x-content-type-options', 'nosniff')
        .header('referrer-policy', 'no-referrer')
        .send(await body()),
    )
  serve('/viewer.js', 'text/javascript', async () => (await viewerAssets()).script)
  serve('/viewer.css', 'text/css', async () => (await viewerAssets()).style)
  for (const [path, page] of Object.entries(pages)) serve(path, 'text/html', () => servedPage(page))
}
