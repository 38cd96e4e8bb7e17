import { afterEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { openOsworld } from '../../../test/support/protocols/osworld-server.ts'

// Rules such as [OS23] are stated in README.md beside this file.

const closers: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

async function serve(scenario: string, access: object = {}) {
  const server = await openOsworld({ scenario }, access)
  const url = await server.app.listen({ host: '127.0.0.1', port: 0 })
  closers.push(() => server.app.close())
  return { ...server, url }
}

async function connect(url: string) {
  const { chromium } = await import('playwright-core')
  const browser = await chromium.connectOverCDP(url)
  closers.push(() => browser.close())
  return browser
}

describe('the DevTools port', () => {
  it('[OS23] opens, lists and closes tabs as OSWorld’s client does', async () => {
    const { url, bugs, desktop } = await serve('web')
    const browser = await connect(url)
    const [context] = browser.contexts()
    const addresses = ['https://bank.test/', 'https://shop.test/help']
    for (const [index, address] of addresses.entries()) {
      const page = await context!.newPage()
      await page.goto(address)
      if (index === 0) await context!.pages()[0]!.close()
    }
    const open = await Promise.all(context!.pages().map(async (page) => [page.url(), await page.title()]))
    expect(open).toEqual([
      ['https://bank.test/login?next=/', 'Sign in - Harbour Bank'],
      ['https://shop.test/help', 'Help - Tea & Table'],
    ])
    await context!.pages()[0]!.bringToFront()
    expect(
      await context!
        .pages()[0]!
        .evaluate('1 + 1')
        .catch(({ message }) => message),
    ).toContain('no script runs')
    expect(await (await fetch(`${url}/json/`)).json()).toEqual(
      [
        { id: 'tab-2', title: 'Sign in - Harbour Bank', url: 'https://bank.test/login?next=/' },
        { id: 'tab-3', title: 'Help - Tea & Table', url: 'https://shop.test/help' },
      ].map((tab) => ({
        ...tab,
        type: 'page',
        webSocketDebuggerUrl: `${url.replace('http', 'ws')}/devtools/browser/backlot`,
      })),
    )
    expect([bugs, desktop.computer.desktop.windows[0]!.title]).toEqual([[], 'Sign in - Harbour Bank - Browser'])
  })

  it('[OS23] says that there is no browser', async () => {
    const { url } = await serve('login')
    expect(await (await fetch(`${url}/json/list`)).json()).toEqual([])
    await expect(connect(url)).rejects.toThrow('no window of this desktop is a browser')
  })

  it('[OS24] asks for the token, and closes for what is no command', async () => {
    const { url } = await serve('web', { token: 'secret' })
    const socket = (headers: Record<string, string>) =>
      new WebSocket(`${url.replace('http', 'ws')}/devtools/browser/backlot`, { headers })
    const refused = await new Promise<Error>((resolve) => socket({}).on('error', resolve))
    expect(refused.message).toContain('401')
    const open = socket({ authorization: 'Bearer secret' })
    const code = await new Promise((resolve) => open.on('open', () => open.send('{"id": 1}')).on('close', resolve))
    expect(code).toBe(1003)
  })
})
