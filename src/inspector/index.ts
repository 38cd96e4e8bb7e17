import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'

const FILES = [
  ['/', 'index.html', 'text/html; charset=utf-8'],
  ['/inspector.css', 'inspector.css', 'text/css; charset=utf-8'],
  ['/inspector.js', 'inspector.js', 'text/javascript; charset=utf-8'],
] as const

/** The page may run only its own scripts and connect only to its own server. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; frame-ancestors 'none'"

/** Serves the web page at `/`: windows, tree and screenshot, over the REST routes of the observer. */
export async function inspectorPage(app: FastifyInstance): Promise<void> {
  for (const [path, file, type] of FILES) {
    const bytes = readFileSync(new URL(`./page/${file}`, import.meta.url))
    app.get(path, { config: { pages: 'link' } }, async (_request, reply) =>
      reply
        .header('content-type', type)
        .header('content-security-policy', POLICY)
        .header('cache-control', 'no-cache')
        .header('x-content-type-options', 'nosniff')
        .send(bytes),
    )
  }
}
