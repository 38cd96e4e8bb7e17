import { once } from 'node:events'
import { copyFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { join } from 'node:path'
import { waitUntil } from '../linux/test-desktop.ts'
import { buildWindowsFixture, type WindowsDesktop } from './windows-desktop.ts'

/** The titles of the windows of each scenario that the desk shows, front to back. */
const TITLES: Readonly<Record<string, readonly string[]>> = {
  desk: ['Desk', 'Notes', 'Under the desk'],
  other: ['Other'],
}

/** Under Wine a window that has just opened may still take the focus, so it is in front when as many lists in a row say so. */
const STEADY_LISTS = 3

/** Shows the desk of the conformance suite on a Windows desktop, and resets it when a client asks for that. */
export interface DeskStage {
  /** The address for `stage` in a profile of the conformance suite. */
  readonly url: string
  close(): void
}

/** Starts the program of fixtures/windows/desk.c, and a server that passes the names of scenarios on to it. */
export async function startDeskStage({ machine, ask }: WindowsDesktop): Promise<DeskStage> {
  copyFileSync(await buildWindowsFixture('desk'), join(machine.drive, 'desk.exe'))
  const desk = await machine.start('C:\\desk.exe')
  const port = await waitUntil('the desk listens', () => Number(desk.stdout().trim()) || undefined)
  const show = async (scenario: string) => {
    const socket = connect(port, '127.0.0.1').end(`${scenario}\n`)
    socket.resume()
    await once(socket, 'close')
    let inARow = 0
    await waitUntil(`${scenario} is in front`, async () => {
      const { windows } = await ask('list_windows')
      const titles = windows.map(({ title }: { readonly title: string }) => title)
      const isShown = titles.join() === TITLES[scenario]!.join() && windows[0].focused
      inARow = isShown ? inARow + 1 : 0
      return inARow === STEADY_LISTS
    })
  }
  const server = createServer(async (request, reply) => {
    let body = ''
    for await (const piece of request) body += piece
    const { scenario } = JSON.parse(body) as { readonly scenario: string }
    if (!TITLES[scenario]) return void reply.writeHead(501).end(`only ${Object.keys(TITLES)} are shown here`)
    await show(scenario).then(
      () => reply.writeHead(200).end(),
      (error) => reply.writeHead(500).end(String(error)),
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, close: () => void server.close() }
}
