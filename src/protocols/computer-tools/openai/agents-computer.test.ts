import { describe, expect, it } from 'vitest'
import { overHttp } from '../../../../test/support/computer-tools.ts'
import { openDesktop } from '../../../testing.ts'
import { createOpenAiComputer, createOpenAiDriver } from '../openai.ts'

describe('the computer for the Agents SDK of OpenAI', () => {
  it('[CT49] signs in, and reports failures beside the protocol', async () => {
    const desktop = openDesktop({ scenario: 'login' })
    const failures: string[] = []
    const computer = await createOpenAiComputer(desktop, {
      display: { height: 400 },
      onFailure: ({ message }) => failures.push(message),
    })
    expect(computer).toMatchObject({
      environment: expect.stringMatching(/^(mac|windows|ubuntu)$/),
      dimensions: [640, 400],
    })
    await computer.click(160, 106, 'left')
    await computer.type('alice')
    await computer.keypress(['TAB'])
    await computer.type('x')
    await computer.wait()
    await computer.move(1, 1)
    await computer.doubleClick(500, 350)
    await computer.scroll(320, 200, 0, 120)
    await computer.drag([
      [450, 350],
      [480, 360],
    ])
    expect(failures).toEqual([])
    await computer.click(640, 1, 'wheel')
    expect(failures).toEqual([expect.stringContaining('x is 0 to 639')])
    await computer.keypress([])
    expect(failures).toHaveLength(2)
    await computer.click(125, 147, 'left')
    expect(desktop.computer.desktop.windows[0]!.title).toBe('Acme — Welcome')
    expect(Buffer.from(await computer.screenshot(), 'base64').readUInt32BE(16)).toBe(640)
  })
})

describe('the driver for the ComputerToolset of OpenAI', () => {
  it.each(['this process', 'a running server'])('[CT50] signs in on a desktop of %s', async (where) => {
    const desktop = openDesktop({ scenario: 'login', config: { confirmation_required: [{ name_regex: '^Login$' }] } })
    const failures: string[] = []
    const asked: string[] = []
    const driver = createOpenAiDriver(where === 'this process' ? desktop : await overHttp(desktop), {
      display: { height: 400 },
      onFailure: ({ message }) => failures.push(message),
      acknowledge: ({ message }) => asked.push(message) > 0,
    })
    const act = (
      action: { type: 'click' | 'double_click' | 'drag' | 'keypress' | 'move' | 'scroll' | 'type' | 'wait' } & Record<
        string,
        unknown
      >,
    ) => driver[action.type](action, { signal: new AbortController().signal })
    await act({ type: 'click', x: 160, y: 106, button: 'left' })
    await act({ type: 'type', text: 'alice' })
    await act({ type: 'keypress', keys: ['TAB'] })
    await act({ type: 'type', text: 'x' })
    await act({ type: 'wait' })
    await act({ type: 'move', x: 1, y: 1, keys: null })
    await act({ type: 'double_click', x: 500, y: 350, keys: null })
    await act({ type: 'scroll', x: 320, y: 200, scroll_x: 0, scroll_y: 120 })
    await act({ type: 'drag', path: [at(450, 350), at(480, 360)] })
    expect([failures, asked]).toEqual([[], []])
    await act({ type: 'click', x: 640, y: 1, button: 'wheel' })
    expect(failures).toEqual([expect.stringContaining('x is 0 to 639')])
    await act({ type: 'click', x: 125, y: 147, button: 'left' })
    expect(asked).toEqual([expect.stringContaining('Login')])
    expect(desktop.computer.desktop.windows[0]!.title).toBe('Acme — Welcome')
    const { image_url, ...rest } = await driver.screenshot({ signal: undefined })
    expect(rest).toEqual({ type: 'computer_screenshot', detail: 'original' })
    const png = Buffer.from(image_url.replace('data:image/png;base64,', ''), 'base64')
    expect(png.readUInt32BE(16)).toBe(640)
  })

  it('[CT51] throws what a server refuses before it is a call', async () => {
    const driver = createOpenAiDriver({ ...(await overHttp(openDesktop({ scenario: 'login' }))), url: 'http://x/none' })
    await expect(driver.screenshot({ signal: undefined })).rejects.toMatchObject({ code: 'SessionNotFound' })
  })
})

const at = (x: number, y: number) => ({ x, y })
