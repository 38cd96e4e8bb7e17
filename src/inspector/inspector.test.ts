import { expect, it } from 'vitest'
import { createFastifyApp } from '../compose/rest-app.ts'
import { openDesktop } from '../testing.ts'
import { inspectorPage } from './index.ts'

// Rules such as [I1] are stated in README.md beside this file.

const GREETER = `
name: greeter
states:
  only: {windows: [{title: Greeter, tree: {role: Window, name: Greeter}}]}
`

const HEADERS = { host: '127.0.0.1:5001' }

async function served(token?: string) {
  const app = await createFastifyApp(openDesktop({ scenario: GREETER }), token === undefined ? {} : { token })
  await inspectorPage(app)
  return app
}

it('[I1] serves the page, its style and its script without references to other servers', async () => {
  const app = await served()
  const files = ['/', '/inspector.css', '/inspector.js']
  const replies = await Promise.all(files.map((url) => app.inject({ url, headers: HEADERS })))
  expect(replies.map(({ statusCode, headers }) => [statusCode, headers['content-type']])).toEqual([
    [200, 'text/html; charset=utf-8'],
    [200, 'text/css; charset=utf-8'],
    [200, 'text/javascript; charset=utf-8'],
  ])
  const [page, ...rest] = replies.map(({ body }) => body)
  expect(page).toContain('<title>Backlot Inspector</title>')
  expect([page, ...rest].filter((text) => /https?:\/\//.test(text ?? ''))).toEqual([])
  expect(replies[0]?.headers['content-security-policy']).toContain("default-src 'none'")
})

it('[I1] requests only existing routes', async () => {
  const app = await served()
  const { body } = await app.inject({ url: '/inspector.js', headers: HEADERS })
  const paths = [...body.matchAll(/request\([`'](\/[a-z_/]+)/g)].map(([, path]) => `/api${path}`)
  expect(paths.length).toBeGreaterThan(2)
  const missing = paths.filter(
    (url) => !['GET', 'POST'].some((method) => app.hasRoute({ method: method as 'GET', url })),
  )
  expect(missing).toEqual([])
})

it('[I2] needs no token for the page, but for its requests', async () => {
  const app = await served('s3cret')
  const status = async (url: string) => (await app.inject({ url, headers: HEADERS })).statusCode
  expect([await status('/'), await status('/inspector.js'), await status('/api/windows')]).toEqual([200, 200, 401])
})
