import { describe, expect, it, vi } from 'vitest'
import { realDesktop } from '../../../test/support/observer/real-desktop.ts'
import { OSWORLD_DESK, openOsworld } from '../../../test/support/protocols/osworld-server.ts'
import { openDesktop } from '../../testing.ts'
import { runPython, tracedStatements } from './programs.ts'
import { osworldApp } from './server.ts'

// Rules such as [OS11] are stated in README.md beside this file.

describe('programs', () => {
  it('[OS11] are in traces by statement, without texts that may be typed', async () => {
    const server = await openOsworld()
    await server.desktop.call('trace_start')
    const code = 'pyautogui.click(100, 75); pyautogui.write("hun\\tter2", interval=0.1); pyautogui.hotkey("ctrl", "s")'
    await server.run(`import pyautogui; ${code}`)
    await server.app.inject({ url: '/screenshot' })
    const { path } = await server.desktop.call('trace_stop')
    const text = String(server.desktop.artifacts.get(path as string))
    const rows = text.split('\n').flatMap((line) => (line.includes('"tool"') ? [JSON.parse(line)] : []))
    const calls = rows.flatMap(({ tool, door_call }) => (door_call ? [[tool, door_call.door, door_call.call]] : []))
    expect(calls).toEqual(
      expect.arrayContaining([
        ['mouse_click', 'osworld', { python: 'pyautogui.click(100, 75)', line: 1 }],
        ['wait', 'osworld', { python: 'pyautogui.write(…', line: 1 }],
        ['press_keys', 'osworld', { python: 'pyautogui.hotkey("ctrl", "s")', line: 1 }],
        ['capture_screen', 'osworld', { request: 'GET /screenshot' }],
      ]),
    )
    expect(JSON.stringify(calls)).not.toContain('ter2')
  })

  it.each([
    ['pyautogui.click(1, 2)  # hunter2', 'pyautogui.click(1, 2)'],
    ['pyautogui.click(1, 2), pyautogui.write("hunter2")', 'pyautogui.click(…'],
    ['pyautogui.hotkey(pyautogui.write("hunter2") or "a")', 'pyautogui.hotkey(pyautogui.write(…'],
    ['pin = 1234', 'pin = …'],
    ['pyautogui.write(str(1234))', 'pyautogui.write(str(…'],
    ['pyautogui.press(f"{1234}")', 'pyautogui.press(…'],
    ['pyautogui.click(\n  1, 2)', 'pyautogui.click('],
    ['click(1)\rpyautogui.write("hunter2")', 'click(…'],
    ['time.sleep(2); x', 'time.sleep(2)'],
    [`pyautogui.click(${'1 + '.repeat(60)}1)`, `pyautogui.click(${'1 + '.repeat(46)}…`],
  ])('[OS11] %j is traced as %j', (code, python) => {
    const all = tracedStatements(code)
    expect(all[0]).toEqual({ line: 1, column: 0, python })
    expect(JSON.stringify(all)).not.toMatch(/hunter2|1234/)
  })

  it('[OS11] are traced by statement inside of blocks', () => {
    const code =
      'try:\n  import a\nexcept ImportError: pass\nfor k in ["hunter2"]:\n    pyautogui.click(1, 2)\n    press(k)\nif x: sleep(1)'
    expect(tracedStatements(code).map(({ python, line }) => `${line} ${python}`)).toEqual([
      ...['1 try:', '2 import a', '3 pass', '4 for k in […', '5 pyautogui.click(1, 2)', '6 press(k)'],
      ...['7 if x:', '7 sleep(…'],
    ])
  })

  it('[OS12] let other requests have a turn, also while they compute or press keys', async () => {
    const { session } = openDesktop({ scenario: OSWORLD_DESK })
    let now = 0
    vi.spyOn(session.operatorClock, 'now').mockImplementation(() => (now += 10))
    const caller = { session, audience: 'harness', source: {} } as const
    let turns = 0
    let timer = setImmediate(function turn() {
      turns++
      timer = setImmediate(turn)
    })
    for (const code of ['1\n'.repeat(500), 'import pyautogui; pyautogui.press(["a", "b"], presses=1000)']) {
      const before = turns
      await expect(runPython(caller, code, 2000)).rejects.toMatchObject({ code: 'Timeout' })
      expect(turns - before).toBeGreaterThan(20)
    }
    clearImmediate(timer)
  })

  it('[OS12] end after 110 seconds of the operator', async () => {
    const server = await openOsworld()
    let now = 0
    vi.spyOn(server.desktop.operatorClock, 'now').mockImplementation(() => (now += 5_000))
    const code = `import pyautogui\n${'pyautogui.moveTo(1, 1)\n'.repeat(200)}`
    expect(await server.run(code)).toMatchObject({
      statusCode: 500,
      status: 'error',
      message: 'the program ran for more than 110 seconds and was ended',
    })
  })

  it('[OS12] end when the server closes', async () => {
    const { session } = realDesktop()
    const app = await osworldApp({ session, access: { hosts: [], origins: [], token: undefined }, onBug: () => {} })
    const post = (url: string, payload: object) => app.inject({ method: 'POST', url, payload })
    const command = ['python', '-c', 'import time; time.sleep(3000)']
    const verification = { window_exists: 'none' }
    const running = post('/execute', { command })
    const verifying = post('/execute_with_verification', { command: 'python -c 1', verification, check_interval: 3000 })
    await new Promise((resolve) => setImmediate(resolve))
    await app.close()
    expect([(await running).statusCode, (await verifying).statusCode]).toEqual([500, 500])
  })

  it('[OS12] end while they sleep', async () => {
    const { session } = realDesktop()
    const caller = { session, audience: 'harness', source: {} } as const
    await expect(runPython(caller, 'import time; time.sleep(3000)', 20)).rejects.toMatchObject({ code: 'Timeout' })
  })
})
