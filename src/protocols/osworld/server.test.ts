import { describe, expect, it, vi } from 'vitest'
import { realDesktop } from '../../../test/support/observer/real-desktop.ts'
import { OSWORLD_DESK, openOsworld } from '../../../test/support/protocols/osworld-server.ts'
import { Fault } from '../../base/fault.ts'
import { readVideo } from './recording/mp4.ts'
import { osworldApp } from './server.ts'

// Rules such as [OS1] are stated in README.md beside this file.

type Server = Awaited<ReturnType<typeof openOsworld>>

const get = ({ app }: Pick<Server, 'app'>, url: string) => app.inject({ url })
const form = ({ app }: Server, url: string, fields: Record<string, string>) =>
  app.inject({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams(fields).toString(),
  })
async function upload({ app }: Pick<Server, 'app'>, path: string, bytes: Buffer) {
  const data = new FormData()
  data.append('file_path', path)
  data.append('file_data', new Blob([new Uint8Array(bytes)]), 'file')
  const request = new Request('http://localhost/', { method: 'POST', body: data })
  return app.inject({
    method: 'POST',
    url: '/setup/upload',
    headers: { 'content-type': request.headers.get('content-type')! },
    payload: Buffer.from(await request.arrayBuffer()),
  })
}

describe('the screen', () => {
  it('[OS1] has no size of a window whose program does not run', async () => {
    const server = await openOsworld()
    expect((await form(server, '/window_size', { app_class_name: 'gimp' })).statusCode).toBe(404)
  })

  it('[OS3] is a picture of the monitor that the query chooses', async () => {
    const server = await openOsworld()
    const primary = (await get(server, '/screenshot?monitor=0')).rawPayload
    expect(primary.equals((await get(server, '/screenshot')).rawPayload)).toBe(true)
    const refused = await Promise.all(['1', 'x', '-1', ''].map((index) => get(server, `/screenshot?monitor=${index}`)))
    expect(refused.map(({ statusCode }) => statusCode)).toEqual([400, 400, 400, 400])
    expect(refused[0]!.body).toContain('there is no monitor 1')
    const monitors =
      '[{bounds: {x: 0, y: 0, width: 800, height: 600}, primary: true}, {bounds: {x: 800, y: 0, width: 640, height: 480}}]'
    const wide = await openOsworld({
      scenario: `{monitors: ${monitors}, states: {a: {windows: [{uid: w, title: W}]}}}`,
    })
    const second = (await get(wide, '/screenshot?monitor=1')).rawPayload
    expect([second.readUInt32BE(16), second.readUInt32BE(20)]).toEqual([640, 480])
  })
})

describe('requests', () => {
  it('[OS2] have errors as JSON, and routes that do not exist list those that do', async () => {
    const server = await openOsworld()
    const missing = await server.post('/exekute', {})
    expect(missing).toMatchObject({ statusCode: 404, status: 'error', message: expect.stringContaining('/execute') })
    expect(missing.routes).toEqual(expect.arrayContaining(['POST /execute', 'GET /screenshot', 'POST /setup/launch']))
    const wrong = await server.app.inject({ method: 'POST', url: '/screenshot' })
    expect([wrong.statusCode, wrong.headers.allow]).toEqual([405, 'GET'])
    for (const body of [{}, { command: 5 }, { command: ['a', 1] }, { command: [], shell: 'yes' }])
      expect(await server.post('/execute', body)).toMatchObject({ statusCode: 400, status: 'error' })
    expect(server.bugs).toEqual([])
  })

  it('[OS18] pass the checks of host, origin, token and audience', async () => {
    const server = await openOsworld({ audience: 'agent', harnessToken: 'harness' }, { token: 'open sesame' })
    const ask = async (headers: Record<string, string>, url = '/platform') =>
      (await server.app.inject({ url, headers })).statusCode
    const authorization = 'Bearer open sesame'
    expect(await ask({})).toBe(401)
    expect(await ask({ authorization: 'Bearer x' })).toBe(401)
    expect(await ask({ authorization })).toBe(200)
    expect(await ask({ authorization, host: 'evil.example' })).toBe(403)
    expect(await ask({ authorization, origin: 'http://evil.example' })).toBe(403)
    expect(await ask({}, '/openapi.json')).toBe(200)
    const read = async (headers: Record<string, string>) => {
      const payload = { path: '/' }
      return (await server.app.inject({ method: 'POST', url: '/list_directory', headers, payload })).statusCode
    }
    expect(await read({ authorization })).toBe(403)
    expect(await read({ authorization, 'x-harness-token': 'harness' })).toBe(200)
  })
})

describe('programs', () => {
  it('[OS5] run by each name of Python, as a list with a shell too', async () => {
    const server = await openOsworld()
    const output = { statusCode: 200, status: 'success', output: 'Linux\n', error: '', returncode: 0 }
    const code = 'import platform; print(platform.system())'
    expect(await server.post('/setup/execute', { command: ['python3', '-c', code], shell: true })).toEqual(output)
    expect(await server.post('/execute', { command: `/usr/bin/python3 -c '${code}'` })).toEqual(output)
  })

  it('[OS5] may have comments and continued lines around them in a script', async () => {
    const server = await openOsworld()
    const script = `#!/bin/bash\n# run it; once\n\npython3 \\\n  -c 'print("a # b")' # done\n\n`
    expect(await server.post('/run_bash_script', { script })).toMatchObject({ status: 'success', output: 'a # b\n' })
    const plain = { command: 'python -c "print(1)" && ; # x' }
    expect(await server.post('/execute', plain)).toMatchObject({ output: '1\n' })
  })

  it('[OS5] have quotes and escapes as in a shell', async () => {
    const server = await openOsworld()
    const command = `python -c "print(\\"a b\\", 'c\\\\\\\\d')"`
    expect(await server.post('/execute', { command, shell: true })).toMatchObject({ output: 'a b c\\d\n', error: '' })
  })

  it('[OS6] keep what they hold, and run one after the other', async () => {
    const server = await openOsworld()
    await server.run('import pyautogui; pyautogui.keyDown("shift"); pyautogui.mouseDown(600, 400)')
    expect(server.desktop.computer.pointer()).toMatchObject({ buttons: ['left'], keys: ['shift'] })
    await server.run('import pyautogui; pyautogui.mouseUp(); pyautogui.keyUp("shift"); pyautogui.click(100, 75)')
    const texts = ['abc', 'def', 'ghi']
    await Promise.all(texts.map((text) => server.run(`import pyautogui; pyautogui.write("${text}", interval=0.01)`)))
    expect(await server.run('import pyautogui; pyautogui.hotkey("ctrl", "s")')).toMatchObject({ returncode: 0 })
    const { tree } = await server.desktop.call('get_window_structure', { window_uid: 'mock:editor' })
    expect(JSON.stringify(tree)).toContain('"abcdefghi"')
    expect(JSON.stringify(tree)).toContain('"saved"')
  })

  it('[OS6] paste what the scenario has in its clipboard', async () => {
    const server = await openOsworld()
    expect(await server.run('import pyperclip; print(pyperclip.paste())')).toMatchObject({ output: 'before\n' })
  })

  it('[OS7] get refused calls as exceptions', async () => {
    const server = await openOsworld({ config: { budget: { max_actions: 1 } } })
    const code = 'import pyautogui\nprint("a")\npyautogui.click(1, 1)\npyautogui.click(2, 2)'
    expect(await server.run(code)).toEqual({
      statusCode: 200,
      status: 'success',
      output: 'a\n',
      error:
        'Traceback (most recent call last):\n  File "<string>", line 4, in <module>\nRuntimeError: BudgetExceeded: max_actions reached\n',
      returncode: 1,
    })
  })

  it.each([
    [{ command: ['touch', '/home/x'] }, 1, "[Errno 2] No such file or directory: 'touch'"],
    [{ command: 'rm -rf ~ && python -c "print(1)"', shell: true }, 127, '/bin/sh: 1: rm: not found'],
    [{ command: ['python', 'script.py'] }, 1, 'python -c CODE'],
    [{ command: 'python -c "print(1)" && rm -rf x', shell: true }, 2, 'Syntax error: "&&" is not supported'],
    [{ command: 'backlot score > x', shell: true }, 2, 'Syntax error: ">" is not supported'],
    [{ command: 'python -c "print(1)"\npython -c "print(2)"', shell: true }, 2, 'Syntax error: "\\n" is not supported'],
    [{ command: 'python -c print(1)', shell: true }, 2, 'Syntax error: "(" is not supported'],
    [{ command: [] }, 1, 'No such file'],
    [{ command: '"', shell: true }, 127, 'not found'],
    [{ command: ['python', '-c', 'import os; os.system("id")'] }, 1, "No module named 'os'"],
    [{ command: ['python', '-c', 'while True: pass'] }, 1, 'RuntimeError: the loops of a program'],
    [{ command: ['python', '-c', 'class A: pass'] }, 1, 'NotImplementedError'],
  ])('[OS8] %j executes nothing', async (body, returncode, error) => {
    const server = await openOsworld()
    const result = await server.post('/execute', body)
    expect(result).toMatchObject({ status: 'success', output: '', returncode, error: expect.stringContaining(error) })
  })

  it('[OS13] are verified in the time of the desktop', async () => {
    const server = await openOsworld()
    const startMs = server.desktop.clock.now()
    const command = ['python', '-c', '']
    const verify = (verification: object) =>
      server.post('/setup/execute_with_verification', { command, verification, max_wait_time: 20, check_interval: 2 })
    expect(await verify({ window_exists: 'Notes' })).toMatchObject({ verification: 'passed', wait_time: 0 })
    expect(server.desktop.clock.now()).toBe(startMs)
    expect(await verify({ window_exists: 'Gimp' })).toMatchObject({
      statusCode: 500,
      status: 'error',
      verification: 'failed',
      message: 'the verification has not passed within 20 seconds',
    })
    expect(server.desktop.clock.now() - startMs).toBeGreaterThanOrEqual(20_000)
  })
})

describe('files', () => {
  it('[OS14] are those of the disk of the scenario', async () => {
    const server = await openOsworld()
    const { directory_tree } = await server.post('/list_directory', { path: '~' })
    expect(directory_tree).toEqual({
      type: 'directory',
      name: 'ada',
      children: [
        { type: 'directory', name: 'Desktop', children: [] },
        { type: 'directory', name: 'Pictures', children: [{ type: 'file', name: 'a.txt' }] },
        { type: 'file', name: 'notes.txt' },
      ],
    })
    expect((await form(server, '/file', { file_path: '~/notes.txt' })).body).toBe('hello\n')
    expect(await server.post('/desktop_path', {})).toMatchObject({ desktop_path: '/home/ada/Desktop' })
  })

  it('[OS14] has the folder of the desktop before anything lies in it', async () => {
    const server = await openOsworld({ scenario: 'login' })
    const { desktop_path } = (await server.post('/desktop_path', {})) as { desktop_path?: unknown }
    expect(desktop_path).toBe('/home/user/Desktop')
    expect(await server.post('/list_directory', { path: desktop_path })).toMatchObject({
      directory_tree: { type: 'directory', name: 'Desktop', children: [] },
    })
  })

  it('[OS2] has short messages, whatever they quote', async () => {
    const server = await openOsworld()
    const long = 'x'.repeat(500_000)
    const answers = [
      await form(server, '/window_size', { app_class_name: long.slice(0, 60_000) }),
      await form(server, '/file', { file_path: long.slice(0, 60_000) }),
      await server.app.inject({ method: 'POST', url: '/list_directory', payload: { path: `/${long}` } }),
      await server.app.inject({ method: 'POST', url: '/setup/activate_window', payload: { window_name: long } }),
      await server.app.inject({ method: 'POST', url: '/setup/open_file', payload: { path: `/${long}` } }),
      await server.app.inject({ method: 'POST', url: '/execute', payload: { [long]: 1 } }),
      await server.app.inject({ url: `/${long.slice(0, 9000)}` }),
    ]
    for (const { body, statusCode } of answers) {
      expect(statusCode).toBeGreaterThanOrEqual(400)
      expect(JSON.parse(body).message.length).toBeLessThanOrEqual(1001)
    }
  })

  it('[OS14] are uploaded, as bytes too', async () => {
    const server = await openOsworld()
    await upload(server, '~/Desktop/new.txt', Buffer.from('Grüße\r\n'))
    expect((await form(server, '/file', { file_path: '/home/ada/Desktop/new.txt' })).body).toBe('Grüße\r\n')
    const bytes = Buffer.from([0, 255, 1, 254])
    await upload(server, '/data/x.bin', bytes)
    expect((await server.desktop.call('read_disk_file', { path: '/data/x.bin' })).content).toMatch(
      /^\(binary file of 4 bytes, SHA-256 [0-9a-f]{64}\)\n$/,
    )
    expect((await upload(server, 'relative.txt', bytes)).statusCode).toBe(400)
    expect((await form(server, '/setup/upload', { file_path: '/a' })).statusCode).toBe(400)
    expect(server.bugs).toEqual([])
  })

  it('[OS14] are uploaded when they are too long for the disk, and missing once their bytes are forgotten', async () => {
    const server = await openOsworld()
    const long = Buffer.from('abc\n'.repeat(300_000))
    expect((await upload(server, '/long.txt', long)).statusCode).toBe(200)
    expect((await form(server, '/file', { file_path: '/long.txt' })).rawPayload.equals(long)).toBe(true)
    for (let index = 0; index < 64; index++) await upload(server, '/next.bin', Buffer.from([255, index]))
    const gone = await form(server, '/file', { file_path: '/long.txt' })
    expect([gone.statusCode, gone.json().message]).toEqual([404, expect.stringContaining('upload the file again')])
  })

  it.each(['/a\u0000b', '/a\nb', `/${'a'.repeat(2000)}`, '../a', ''])('[OS14] at %j are refused', async (path) => {
    const server = await openOsworld()
    expect((await upload(server, path, Buffer.from('x'))).statusCode).toBe(400)
    expect(server.bugs).toEqual([])
  })

  it('[OS16] are not downloaded', async () => {
    const server = await openOsworld()
    expect(await server.post('/setup/download_file', { url: 'http://127.0.0.1:9/', path: '/a' })).toEqual({
      statusCode: 500,
      status: 'error',
      message: 'this server opens no connections; send the file itself to POST /setup/upload',
    })
  })

  it('[OS17] are wallpapers when they are pictures', async () => {
    const server = await openOsworld({ files: { 'desk.yaml': OSWORLD_DESK } })
    const wallpaper = () => server.app.inject({ method: 'POST', url: '/wallpaper' })
    expect((await wallpaper()).statusCode).toBe(404)
    const picture = (await get(server, '/screenshot')).rawPayload
    await upload(server, '/home/ada/w.png', picture)
    expect(await server.post('/setup/change_wallpaper', { path: '~/notes.txt' })).toMatchObject({ statusCode: 400 })
    const payload = { path: '~/w.png' }
    const changed = await server.app.inject({ method: 'POST', url: '/setup/change_wallpaper', payload })
    expect(changed.body).toBe('Wallpaper changed successfully')
    expect((await wallpaper()).statusCode).toBe(200)
    await server.post('/execute', { command: ['backlot', 'select', '--scenario', 'desk.yaml'] })
    expect((await wallpaper()).statusCode).toBe(404)
  })
})

describe('windows', () => {
  const text = async ({ app }: Server, url: string, payload: object) => {
    const { statusCode, body } = await app.inject({ method: 'POST', url, payload })
    return statusCode === 200 ? body : statusCode
  }
  const titles = async ({ desktop }: Server) => (await desktop.call('list_windows')).windows.map(({ title }) => title)

  it('[OS15] are activated by title or program', async () => {
    const server = await openOsworld()
    expect(await text(server, '/setup/activate_window', { window_name: 'ada@' })).toBe('Window activated successfully')
    expect((await titles(server))[0]).toBe('ada@desk')
    expect(await text(server, '/setup/activate_window', { window_name: 'gedit', by_class: true })).toContain(
      'activated',
    )
    expect((await titles(server))[0]).toBe('Notes - Editor')
  })

  it('[OS6] [OS15] are closed between programs', async () => {
    const server = await openOsworld()
    const typing = server.run('import pyautogui; pyautogui.click(100, 75); pyautogui.write("abcdef", interval=0.01)')
    const closing = text(server, '/setup/close_window', { window_name: 'ada@desk' })
    const raising = text(server, '/setup/activate_window', { window_name: 'Notes' })
    expect(await Promise.all([typing, closing, raising])).toEqual([
      expect.objectContaining({ returncode: 0 }),
      'Window closed successfully',
      'Window activated successfully',
    ])
    expect(await titles(server)).toEqual(['Notes - Editor'])
    expect(JSON.stringify((await server.desktop.call('get_window_structure')).tree)).toContain('"abcdef"')
  })

  it('[OS15] of programs are raised, and files opened where a list shows them', async () => {
    const server = await openOsworld()
    expect(await text(server, '/setup/launch', { command: ['gnome-terminal'] })).toBe(
      'gnome-terminal launched successfully',
    )
    expect((await titles(server))[0]).toBe('ada@desk')
    expect(await text(server, '/setup/launch', { command: 'google-chrome --new', shell: true })).toBe(500)
    expect(await text(server, '/setup/launch', { command: [] })).toBe(400)
    await server.post('/setup/activate_window', { window_name: 'Notes' }).catch(() => {})
    expect(await text(server, '/setup/open_file', { path: '~/notes.txt' })).toBe('File opened successfully')
    expect(JSON.stringify((await server.desktop.call('get_window_structure')).tree)).toContain('"opened"')
    expect(await text(server, '/setup/open_file', { path: '~/Pictures/a.txt' })).toBe(500)
  })
})

it('[OS21] a recording is a video of what clients do', async () => {
  const server = await openOsworld()
  const send = (url: string) => server.app.inject({ method: 'POST', url })
  await send('/start_recording')
  await server.run('import pyautogui; pyautogui.click(100, 75); pyautogui.write("abc"); pyautogui.moveTo(500, 400)')
  const video = await send('/end_recording')
  expect(readVideo(video.rawPayload).samples).toHaveLength(4)
})

it('[OS21] a recording needs the permission of screenshots', async () => {
  const server = await openOsworld({ config: { actions: { deny: ['capture_screen'] } } })
  expect(await server.post('/start_recording', {})).toMatchObject({
    statusCode: 403,
    message: expect.stringContaining('capture_screen'),
  })
  expect((await server.post('/end_recording', {})).statusCode).toBe(400)
})

it('[OS22] each picture of a recording counts as a screenshot, and a film has no more than the budget', async () => {
  const server = await openOsworld({ config: { budget: { max_screenshots: 3 } } })
  const send = (url: string) => server.app.inject({ method: 'POST', url })
  await send('/start_recording')
  await server.run('import pyautogui; pyautogui.click(100, 75); pyautogui.write("abc"); pyautogui.moveTo(500, 400)')
  const video = await send('/end_recording')
  expect(readVideo(video.rawPayload).samples.length).toBeLessThanOrEqual(3)
  expect((await server.app.inject('/screenshot')).statusCode).toBe(429)
  expect((await send('/start_recording')).statusCode).not.toBe(200)
  expect((await send('/end_recording')).statusCode).toBe(400)
})

it('[OS21] a recording that cannot see the screen fails no action', async () => {
  const server = await openOsworld()
  await server.post('/start_recording', {})
  vi.spyOn(server.desktop.session.computer, 'screenshot').mockImplementation(() => {
    throw new Fault('PlatformUnsupported', 'no screen')
  })
  expect(await server.run('import pyautogui; pyautogui.click(100, 75)')).toMatchObject({ returncode: 0 })
  vi.restoreAllMocks()
  expect((await server.app.inject({ method: 'POST', url: '/end_recording' })).statusCode).toBe(200)
})

it('[OS19] a real desktop has screenshots, trees and input, and refuses the rest', async () => {
  const { session } = realDesktop()
  const access = { hosts: [], origins: [], token: undefined }
  const app = await osworldApp({ session, access, onBug: () => {} })
  const ask = async (method: 'GET' | 'POST', url: string, payload?: object) =>
    app.inject({ method, url, ...(payload && { payload }) })
  expect((await ask('GET', '/screenshot')).statusCode).toBe(200)
  expect((await ask('GET', '/accessibility')).json().AT).toContain('push-button')
  expect((await ask('GET', '/cursor_position')).json()).toEqual([5, 5])
  expect((await ask('GET', '/terminal')).json()).toEqual({ output: null, status: 'success' })
  const command = ['python', '-c', 'import pyautogui; pyautogui.click(20, 15)']
  expect((await ask('POST', '/execute', { command })).json()).toMatchObject({ returncode: 0 })
  for (const [url, body] of [
    ['/list_directory', { path: '/' }],
    ['/setup/activate_window', { window_name: 'form' }],
    ['/setup/launch', { command: ['xterm'] }],
    ['/setup/open_file', { path: '/etc/hostname' }],
    ['/desktop_path', {}],
  ] as const) {
    const { statusCode, body: error } = await ask('POST', url, body)
    expect([url, statusCode, error]).toEqual([url, 500, expect.stringMatching(/this one is real|of a real desktop/)])
  }
})
