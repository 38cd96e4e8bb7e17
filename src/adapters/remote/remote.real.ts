import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { computerSuite } from '../../../test/support/adapters/computer.suite.ts'
import {
  fixturePath,
  type LinuxTestDesktop,
  PYTHON,
  startTestDesktop,
  type TestWindow,
  waitUntil,
} from '../../../test/support/linux/test-desktop.ts'
import { createTestbed, type Testbed } from '../../compose/testbed.ts'
import { countNodes, walk } from '../../desktop/model/element.ts'
import { centerOf } from '../../desktop/model/geometry.ts'
import { querySelectorAll } from '../../desktop/tree/select.ts'
import { call } from '../../observer/call.ts'
import type { Computer } from '../computer.ts'
import { openRemoteComputer } from './remote.ts'

interface ServedDesktop {
  readonly testDesktop: LinuxTestDesktop
  readonly other: Testbed
  readonly form: TestWindow
  readonly computer: Computer
  readonly url: string
  close(): Promise<void>
}

/** A private desktop with a form, served by one testbed and driven through another connection. */
async function servedDesktop(): Promise<ServedDesktop> {
  const testDesktop = await startTestDesktop()
  const form = await testDesktop.launch(/^Form$/, PYTHON, fixturePath('gtk-form.py'))
  const other = await createTestbed({ adapter: 'linux', env: testDesktop.desktop.env })
  const { url } = await other.serveRest({ port: 0 })
  const computer = await openRemoteComputer({ url })
  await computer.perform({ type: 'activate', window: form.uid })
  return {
    testDesktop,
    other,
    form,
    computer,
    url,
    async close() {
      await computer.close()
      await other.close()
      await testDesktop.close()
    },
  }
}

computerSuite('[RM1] a Linux desktop behind another server', async () => {
  const { computer, close } = await servedDesktop()
  return {
    computer,
    until: async (read, good) => {
      let last = await read()
      await waitUntil('it is so', async () => {
        last = await read()
        return good(last)
      })
      return last
    },
    close,
  }
})

describe('a Linux desktop behind another server', () => {
  let served: ServedDesktop
  beforeAll(async () => {
    served = await servedDesktop()
  })
  afterAll(() => served?.close())

  it('[RM3] has the stacking order of the X server', async () => {
    const { testDesktop, computer, form } = served
    const second = await testDesktop.launch(/^Second$/, PYTHON, fixturePath('gtk-form.py'), '--title', 'Second')
    const uids = async (of: Computer) => (await of.windows()).map(({ uid }) => uid)
    expect(new Set(await uids(testDesktop.computer)).size).toBeGreaterThan(1)
    for (const window of [form.uid, second.uid, form.uid]) {
      await computer.perform({ type: 'activate', window })
      await waitUntil('the window has the focus', async () => (await computer.windows())[0]?.uid === window)
      expect(await uids(computer)).toEqual(await uids(testDesktop.computer))
    }
    second.process.kill()
    await waitUntil('it is closed', async () => (await uids(computer)).length === 1)
  })

  it('[RM4] has the tree that the desktop has', async () => {
    const { testDesktop, computer, form } = served
    const [there, here] = [await testDesktop.computer.tree(form.uid), await computer.tree(form.uid)]
    const shown = (tree: typeof there) =>
      [...walk(tree!)].map(({ role, name, bounds, enabled }) => [role, name, bounds, enabled])
    expect(shown(here)).toEqual(shown(there))
    expect(shown(here).length).toBeGreaterThan(5)
  })

  it('[RM6] has the pixels that the desktop has', async () => {
    const { testDesktop, computer } = served
    const area = { x: 0, y: 0, width: 64, height: 48 }
    const [there, here] = [await testDesktop.computer.screenshot({ area }), await computer.screenshot({ area })]
    expect(Buffer.from(here.pixels()).equals(Buffer.from(there.pixels()))).toBe(true)
  })

  it('[RM11] is driven by the tools of a session', async () => {
    const { url, form } = served
    const here = await createTestbed({ adapter: 'remote', remote: { url }, env: {} })
    try {
      const tool = async (name: string, args: object) => {
        const { fresh, cached, fault } = await call(here.session, name, { window_uid: form.uid, ...args })
        if (fault) throw fault
        return { ...cached, ...fresh } as Record<string, unknown>
      }
      expect(await tool('set_value', { selector: 'Edit "First name"', value: 'Ada' })).toMatchObject({ changed: true })
      await tool('click_element', { selector: 'CheckBox "Agree"' })
      await tool('wait_for', { any_of: [{ type: 'element_appears', selector: 'Edit[value="Ada"]' }] })
      expect(await tool('get_screenshot', {})).toMatchObject({ format: 'png' })
      const box = async () => querySelectorAll((await here.session.computer.tree(form.uid))!, 'CheckBox "Agree"')[0]!
      const { element } = await box()
      const { x, y } = centerOf(element.bounds)
      const before = element.selected
      await tool('mouse_click', { x, y })
      await waitUntil('it has toggled', async () => (await box()).element.selected !== before)
      expect(await tool('get_pointer', {})).toMatchObject({ x, y, buttons: [] })
    } finally {
      await here.close()
    }
  })

  it('[RM12] reports a server that ends, and finds the same desktop behind its successor', async () => {
    const { testDesktop, form, computer, url, other } = served
    const { port } = new URL(url)
    const before = (await computer.tree(form.uid))!
    await other.close()
    const lost = { code: 'Timeout', row: { retry: true }, context: { connection: 'lost' } }
    await expect(computer.tree(form.uid)).rejects.toMatchObject(lost)
    await expect(computer.perform({ type: 'type', text: 'x' })).rejects.toMatchObject(lost)
    const successor = await createTestbed({ adapter: 'linux', env: testDesktop.desktop.env })
    try {
      await successor.serveRest({ port: Number(port) })
      expect((await computer.windows()).map(({ uid }) => uid)).toContain(form.uid)
      expect(countNodes((await computer.tree(form.uid))!)).toBe(countNodes(before))
    } finally {
      await successor.close()
    }
  })
})
