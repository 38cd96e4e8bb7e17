import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { createFastifyApp } from '../compose/rest-app.ts'
import { openDesktop } from '../testing.ts'
import { DATA_ID } from './model/entrance.ts'
import { LIVE_PAGES, servedPage, serveViewer, staticPage, viewerAssets } from './page.ts'

// Rules such as [VW1] are stated in README.md beside this file.

it('[VW1] has no reference to another server', async () => {
  const { script, style } = await viewerAssets()
  const page = servedPage({ entrance: 'live', title: 'Desk' })
  // Names of namespaces of XML are no addresses. The words of a curl command name the host of a recorded request.
  const text = [page, style, script]
    .join('\n')
    .replaceAll(/http:\/\/www\.w3\.org\/[\w/]+/g, '')
    .replaceAll(/http:\/\/\$\{\w+\}\$\{\w+\}/g, '')
  expect(text.match(/https?:\/\/[^\s"'`)]*/g) ?? []).toEqual([])
  expect(page).toContain('<script type="module" src="/viewer.js">')
})

it('[VW2] carries script, style and data, and allows only these', async () => {
  const assets = await viewerAssets()
  const page = staticPage({ entrance: 'recording', title: 'Run' }, assets, { recording: { steps: [] } })
  const script = /<script type="module">([\s\S]*?)<\/script>/.exec(page)![1]!
  const sha = createHash('sha256').update(script).digest('base64')
  expect(page).toContain(`script-src &#39;sha256-${sha}&#39;`)
  expect(page).toContain('default-src &#39;none&#39;')
  expect(page).not.toContain('connect-src')
  expect(page).toContain(`id="${DATA_ID}recording">{"steps":[]}</script>`)
})

it('[VW3] keeps hostile texts in their place', async () => {
  const hostile = '</script><script>alert(1)</script><!--"\'&\u0000'
  const page = staticPage(
    { entrance: 'report', title: hostile },
    { script: '', style: '' },
    { report: { name: hostile } },
  )
  expect(page.match(/<script/g)).toHaveLength(2)
  const [, data = ''] =
    /<script type="application\/json" id="backlot-data-report">([\s\S]*?)<\/script>/.exec(page) ?? []
  expect(JSON.parse(data)).toEqual({ name: hostile })
  expect(page.match(/<title>(.*)<\/title>/)?.[1]).not.toContain('<')
})

// Rules such as [VW43] are stated in README.md beside this file.

it('[VW1] [VW43] serves the page, its script and its style, which need no token', async () => {
  const app = await createFastifyApp(openDesktop({ scenario: 'login' }), { token: 's3cret' })
  await serveViewer(app, LIVE_PAGES)
  const get = (url: string) => app.inject({ url, headers: { host: '127.0.0.1:5001' } })
  const replies = await Promise.all(['/', '/sessions/s1/', '/viewer.css', '/viewer.js'].map(get))
  expect(replies.map(({ statusCode, headers }) => [statusCode, headers['content-type']])).toEqual([
    [200, 'text/html; charset=utf-8'],
    [200, 'text/html; charset=utf-8'],
    [200, 'text/css; charset=utf-8'],
    [200, 'text/javascript; charset=utf-8'],
  ])
  for (const { headers } of replies) expect(headers['content-security-policy']).toContain("default-src 'none'")
  for (const url of ['/api/windows', '/api/inspector/screen', '/sessions', '/sessions/s1/api/windows'])
    expect([url, (await get(url)).statusCode]).toEqual([url, 401])
})
