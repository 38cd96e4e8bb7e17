import assert from 'node:assert/strict'
import * as z from 'zod'
import { assertStatus, notOffered } from '../../probe/failure.ts'
import { defineRules } from '../../suite/rules.ts'
import type { TestContext } from '../../suite/test-context.ts'
import { ErrorBody, Recording, Size } from '../contract.ts'
import { sources } from '../document.ts'
import { act, eventually, sendForm, textOfSuccess } from '../driver.ts'
import { changeBody, changeBytes, onSuccessOf, replaceStatus } from '../sabotage.ts'
import {
  activate,
  activeWindows,
  attributeOf,
  boxOf,
  centreOf,
  findNamed,
  readTree,
  type Tree,
  titlesOf,
} from '../tree-driver.ts'

const close = ({ http }: TestContext, window_name: string, more: object = {}) =>
  http.post('/setup/close_window', { window_name, ...more })

const hasWindow = (tree: Tree, title: string): boolean =>
  tree.elements.some(
    (one) => ['frame', 'window', 'dialog'].includes(one.tag) && attributeOf(tree, one, 'name') === title,
  )

const MAX_FRAME_PX = 120

const Opened = z.strictObject({ path: z.string(), title: z.string() })

const Launched = z.strictObject({ command: z.array(z.string()).min(1), title: z.string() })

/** Runs a request and fails unless a window shows then. Closes the window if the request opened it. */
async function assertShows(context: TestContext, title: string, request: () => Promise<unknown>): Promise<void> {
  const isOpen = async () => hasWindow(await readTree(context), title)
  const wasOpen = await isOpen()
  await request()
  assert.ok(await eventually(isOpen, (open) => open), `no window "${title}" shows`)
  if (!wasOpen) await close(context, title)
}

/** Ends a recording that an earlier check may have left. */
const endRecording = ({ http }: TestContext) => http.post('/end_recording', undefined, { timeoutMs: 30_000 })

/** Starts a recording. Recording needs an encoder, which a server without one says by 500. */
async function startRecording(context: TestContext): Promise<void> {
  await endRecording(context)
  const answer = await context.http.post('/start_recording')
  if (answer.status === 500) notOffered(`the server does not record: ${answer.text.slice(0, 200)}`)
  assertStatus(answer, 200)
  assert.equal(answer.json(Recording).status, 'success', 'status')
}

/** Activating, closing and measuring windows. */
export const windowRules = defineRules('window', ['tree:states', 'tree:well-formed', 'window:activate'], {
  activate: {
    level: 'MUST',
    text: 'A window is activated by a part of its title in any case.',
    source: sources.server,
    basis: { states: 'activate_window takes window_name, with strict false by default.' },
    covers: ['OW-R21'],
    tier: 'sdk',
    check: async (context) => {
      const titles = titlesOf(context)
      for (const title of [...titles, titles[0]]) {
        textOfSuccess(await activate(context, title.slice(1, -1).toUpperCase()))
        assert.deepEqual(await activeWindows(context, title), [title], 'another window is active')
      }
    },
    sabotage: {
      'compares whole titles': changeBody('/setup/activate_window', (body) => {
        body.strict = true
      }),
    },
  },

  strict: {
    level: 'MUST',
    text: 'With strict the whole title counts.',
    source: sources.server,
    basis: { states: 'activate_window and close_window take strict.' },
    covers: ['OW-R21'],
    tier: 'full',
    check: async (context) => {
      const [one, other] = titlesOf(context)
      textOfSuccess(await activate(context, one, { strict: true }))
      assert.deepEqual(await activeWindows(context, one), [one], 'the whole title is not found')
      for (const wrong of [other.slice(0, -1), other.toUpperCase()]) {
        await activate(context, wrong, { strict: true })
        assert.deepEqual(await activeWindows(context, one), [one], `${wrong} is found`)
      }
    },
    sabotage: {
      'compares parts of titles': changeBody('/setup/activate_window', (body) => {
        body.strict = false
      }),
    },
  },

  close: {
    level: 'MUST',
    text: 'A window is closed by its title.',
    source: sources.server,
    basis: { states: 'close_window takes window_name and answers a text.' },
    covers: ['OW-R22'],
    tier: 'sdk',
    check: async (context) => {
      const { opener, title } = context.profile.known(
        'closable',
        z.strictObject({ opener: z.string(), title: z.string() }),
      )
      const isOpen = async () => hasWindow(await readTree(context), title)
      if (!(await isOpen())) {
        const tree = await readTree(context)
        const { x, y } = centreOf(boxOf(tree, findNamed(tree, opener)) ?? { x: 0, y: 0, width: 0, height: 0 })
        await act(context, `pyautogui.click(${x}, ${y})`)
        assert.ok(await eventually(isOpen, (open) => open), `prerequisite: "${opener}" does not open "${title}"`)
      }
      textOfSuccess(await close(context, title))
      assert.equal(await eventually(isOpen, (open) => !open), false, 'the window is still open')
    },
    sabotage: {
      'activates for closing': {
        changeRequest: (request) => {
          if (request.path === '/setup/close_window') request.path = '/setup/activate_window'
        },
      },
    },
  },

  unnamed: {
    level: 'MUST',
    text: 'Without window_name both routes answer 400.',
    source: sources.server,
    basis: { states: 'activate_window and close_window answer 400 without window_name.' },
    covers: ['OW-R21', 'OW-R22', 'OW-X1'],
    tier: 'sdk',
    check: async ({ http }) => {
      for (const path of ['/setup/activate_window', '/setup/close_window'])
        assertStatus(await http.post(path, { strict: true }), 400, path)
    },
    sabotage: {
      'breaks without a title': replaceStatus('/setup/close_window', 400, 500),
    },
  },

  unknown: {
    level: 'SHOULD',
    text: 'A window that does not exist answers 404, or 200 without an effect.',
    source: sources.server,
    basis: { states: 'activate_window and close_window answer 404 when no window has the name.' },
    covers: ['OW-R21', 'OW-R22', 'OW-X2'],
    tier: 'sdk',
    check: async (context) => {
      const [one, other] = titlesOf(context)
      const name = context.random.word(12)
      for (const answer of [await activate(context, name), await close(context, name)])
        assert.ok([200, 404].includes(answer.status), `${answer.what} answers ${answer.status}`)
      const tree = await readTree(context)
      assert.ok(hasWindow(tree, one) && hasWindow(tree, other), 'a window was closed')
    },
    sabotage: {
      'breaks at an unknown title': replaceStatus('/setup/activate_window', 404, 500),
    },
  },

  size: {
    level: 'MUST',
    text: 'POST /window_size answers the size of the window of a class.',
    source: sources.server,
    basis: { states: 'POST /window_size takes the form field app_class_name and answers width and height.' },
    covers: ['OW-R10'],
    tier: 'full',
    needs: ['tree:tuples', 'tree:names', 'program:prefix'],
    check: async (context) => {
      const { name, title } = context.profile.known('class', z.strictObject({ name: z.string(), title: z.string() }))
      const { width, height } = (await sendForm(context, '/window_size', { app_class_name: name })).json(Size)
      const tree = await readTree(context)
      const box = boxOf(tree, findNamed(tree, title))
      assert.ok(box, `prerequisite: no window of the tree has the title "${title}"`)
      // The tree may count the title bar and the shadow of a window.
      const isNear = Math.abs(width - box.width) <= MAX_FRAME_PX && Math.abs(height - box.height) <= MAX_FRAME_PX
      assert.ok(isNear, `the size is ${width} x ${height}, and in the tree ${box.width} x ${box.height}`)
    },
    sabotage: {
      'answers the size of another window': onSuccessOf('POST /window_size', (json) => {
        json.width = 2 * json.width + 200
      }),
    },
  },

  'size-unnamed': {
    level: 'MUST',
    text: 'POST /window_size without a class answers 400.',
    source: sources.server,
    basis: { states: 'POST /window_size answers 400 without app_class_name.' },
    covers: ['OW-R10', 'OW-X1'],
    tier: 'full',
    needs: ['tree:tuples', 'tree:names', 'program:prefix'],
    check: async (context) => {
      assertStatus(await sendForm(context, '/window_size', { name: 'x' }), 400)
    },
    sabotage: {
      'finds no window without a class': replaceStatus('/window_size', 400, 404),
    },
  },
})

/** Opening files. */
export const openRules = defineRules('open', {
  file: {
    level: 'MUST',
    text: 'Opening a file shows a window for it.',
    source: sources.server,
    basis: { states: 'POST /setup/open_file answers once the window of the file shows.' },
    covers: ['OW-R20'],
    tier: 'full',
    check: async (context) => {
      if (!context.profile.has('opens')) notOffered('the profile has no file that a program opens')
      const { path, title } = context.profile.known('opens', Opened)
      await assertShows(context, title, async () =>
        textOfSuccess(await context.http.post('/setup/open_file', { path })),
      )
    },
    sabotage: {
      'opens nothing': {
        changeRequest: (request) => {
          if (request.path === '/setup/open_file') request.path = '/platform'
        },
      },
    },
  },

  missing: {
    level: 'MUST',
    text: 'Opening what does not exist answers 404.',
    source: sources.server,
    basis: { states: 'POST /setup/open_file answers 404 when there is no such file or program.' },
    covers: ['OW-R20', 'OW-X2'],
    tier: 'full',
    check: async ({ http, random }) => {
      assertStatus(await http.post('/setup/open_file', { path: `/no/${random.word(12)}.txt` }), 404)
    },
    sabotage: {
      'refuses to open what does not exist': replaceStatus('/setup/open_file', 404, 400),
    },
  },

  unnamed: {
    level: 'MUST',
    text: 'POST /setup/open_file without a path answers 400.',
    source: sources.server,
    basis: { states: 'POST /setup/open_file takes path and answers 400 without it.' },
    covers: ['OW-R20', 'OW-X1'],
    tier: 'full',
    check: async ({ http }) => {
      assertStatus(await http.post('/setup/open_file', {}), 400)
    },
    sabotage: {
      'breaks without a file to open': replaceStatus('/setup/open_file', 400, 500),
    },
  },
})

/** Launching programs. */
export const launchRules = defineRules('launch', {
  program: {
    level: 'MUST',
    text: 'A launched program shows its window.',
    source: sources.server,
    basis: { states: 'POST /setup/launch starts command and answers a text that it was launched.' },
    covers: ['OW-R5'],
    tier: 'sdk',
    check: async (context) => {
      if (!context.profile.has('launches')) notOffered('the profile has no program to launch')
      const { command, title } = context.profile.known('launches', Launched)
      await assertShows(context, title, async () =>
        textOfSuccess(await context.http.post('/setup/launch', { command })),
      )
    },
    sabotage: {
      'answers a launch by JSON': changeBytes('/setup/launch', (_, { headers }) => {
        headers['content-type'] = 'application/json'
        return Buffer.from('"launched"')
      }),
    },
  },

  missing: {
    level: 'MUST',
    text: 'Launching what does not exist answers 500.',
    source: sources.server,
    basis: { states: 'POST /setup/launch answers 500 with status error when command cannot be started.' },
    covers: ['OW-R5', 'OW-X3'],
    tier: 'sdk',
    check: async ({ http, random }) => {
      const answer = await http.post('/setup/launch', { command: [`no-${random.word(12)}`] })
      assertStatus(answer, 500)
      answer.json(ErrorBody)
    },
    sabotage: {
      'launches what does not exist': replaceStatus('/setup/launch', 500, 200),
    },
  },
})

/** Recording the screen. */
export const recordingRules = defineRules('recording', {
  video: {
    level: 'MUST',
    text: 'A recording ends with an MP4 video.',
    source: sources.server,
    basis: { states: 'POST /start_recording answers status and message, and POST /end_recording the bytes of an mp4.' },
    covers: ['OW-R23', 'OW-R24'],
    tier: 'sdk',
    timeoutMs: 60_000,
    check: async (context) => {
      await startRecording(context)
      await act(context, 'pyautogui.moveTo(200, 200); time.sleep(1); pyautogui.moveTo(300, 300); time.sleep(1)')
      const answer = await endRecording(context)
      assertStatus(answer, 200, answer.text.slice(0, 200))
      assert.equal(answer.bytes.subarray(4, 8).toString('latin1'), 'ftyp', 'the bytes are not those of an MP4 file')
    },
    sabotage: {
      'records another format': changeBytes('/end_recording', () => Buffer.from('\u001aE\u00df\u00a3webm')),
    },
  },

  twice: {
    level: 'MUST',
    text: 'A second recording at the same time answers 400.',
    source: sources.server,
    basis: { states: 'POST /start_recording answers 400 while a recording runs.' },
    covers: ['OW-R23', 'OW-X1'],
    tier: 'sdk',
    timeoutMs: 60_000,
    check: async (context) => {
      await startRecording(context)
      const again = await context.http.post('/start_recording')
      await endRecording(context)
      assertStatus(again, 400)
    },
    sabotage: {
      'records twice': replaceStatus('/start_recording', 400, 200),
    },
  },

  none: {
    level: 'MUST',
    text: 'Ending a recording that was not started answers 400.',
    source: sources.server,
    basis: { states: 'POST /end_recording answers 400 without a recording.' },
    covers: ['OW-R24', 'OW-X1'],
    tier: 'sdk',
    timeoutMs: 60_000,
    check: async (context) => {
      await endRecording(context)
      assertStatus(await endRecording(context), 400)
    },
    sabotage: {
      'ends what was not started': replaceStatus('/end_recording', 400, 200),
    },
  },
})
