import { describe, expect, it } from 'vitest'
import { openDesktop } from '../../../testing.ts'
import { createOpenAiComputer } from '../openai.ts'

describe('the computer for the Agents SDK of OpenAI', () => {
  it('[CT53] signs in, and reports failures beside the protocol', async () => {
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
