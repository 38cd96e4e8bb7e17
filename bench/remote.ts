import type { Computer } from '../src/adapters/computer.ts'
import { createTestbed, type Testbed } from '../src/compose/testbed.ts'
import { countNodes } from '../src/desktop/model/element.ts'
import { call } from '../src/observer/call.ts'
import type { DesktopSession } from '../src/observer/session/session.ts'
import type { ReportLine } from './harness/measure.ts'
import { beside, timed } from './harness/wall-time.ts'

/** Steps on a desktop behind another server on this machine, beside the same steps on the desktop itself. */
export async function remoteLines(direct: Testbed, uid: string): Promise<readonly ReportLine[]> {
  const { url } = await direct.serveRest({ port: 0 })
  const remote = await createTestbed({ adapter: 'remote', remote: { url }, env: {} })
  try {
    const lines: ReportLine[] = []
    const compare = async (what: string, run: (session: DesktopSession, turn: number) => unknown, runs: number) => {
      const [theirsMs, oursMs] = [
        await timed((turn) => run(direct.session, turn), runs),
        await timed((turn) => run(remote.session, turn), runs),
      ]
      lines.push(beside(what, oursMs, 'direct', theirsMs))
    }
    const read =
      (work: (computer: Pick<Computer, 'windows' | 'tree' | 'screenshot'>) => unknown) => (session: DesktopSession) =>
        work(session.computer)
    const tool = async (session: DesktopSession, name: string, args: object): Promise<void> => {
      const { fault } = await call(session, name, args)
      if (fault) throw fault
    }
    const count = countNodes((await direct.session.computer.tree(uid))!)
    // Alternates between distant places, so that two clicks are not a double click.
    const targets = ['CheckBox "Agree"', 'Button "Greet"'].map((selector) => ({ window_uid: uid, selector }))
    await compare(
      'list of windows',
      read((computer) => computer.windows()),
      60,
    )
    await compare(
      `tree, ${count} elements`,
      read((computer) => computer.tree(uid)),
      60,
    )
    await compare(
      'screenshot 1280×800 as PNG',
      read(async (computer) => (await computer.screenshot({ screen: true })).png()),
      40,
    )
    await compare(
      'click with receipt',
      (session, turn) => tool(session, 'click_element', targets[Math.abs(turn) % 2]!),
      30,
    )
    await compare(
      'key with receipt, settle_ms 0',
      (session) => tool(session, 'press_key', { keys: 'left', settle_ms: 0 }),
      20,
    )
    return lines
  } finally {
    await remote.close()
  }
}
