import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import * as z from 'zod'
import { assertAgree } from '../../compare/differences.ts'
import { assertStatus, notOffered } from '../../probe/failure.ts'
import { walkXml } from '../../probe/xml.ts'
import { answersInTurn } from '../../suite/behaviors.ts'
import { defineRules } from '../../suite/rules.ts'
import type { ProxiedRequest, SabotageBehavior } from '../../suite/sabotage.ts'
import { ExecuteResult, Terminal } from '../contract.ts'
import { sources } from '../document.ts'
import { act, pointerOf, printed, runPython, sendCommand, takeScreenshot } from '../driver.ts'
import {
  bodyOf,
  changeBytes,
  changeResult,
  isKnownPath,
  isKnownRequest,
  onSuccessOf,
  programOf,
  replaceStatus,
} from '../sabotage.ts'
import {
  attributeOf,
  boxOf,
  centreOf,
  findNamed,
  hasState,
  platformOf,
  readControl,
  readMarkup,
  readTree,
  type Tree,
} from '../tree-driver.ts'

/** The text of the focused terminal in the tree. */
function terminalIn(tree: Tree): string | null {
  const programs = tree.root.children.filter((one) => attributeOf(tree, one, 'name') === 'gnome-terminal-server')
  const frames = programs.flatMap(({ children }) => children).filter((one) => hasState(tree, one, 'active'))
  const inside = frames.flatMap((frame) => [...walkXml(frame)]).map(({ element }) => element)
  const focused = inside.filter((one) => one.tag === 'terminal' && hasState(tree, one, 'focused'))
  return focused.length === 1 ? focused[0]!.text.trimEnd() : null
}

const READERS = 6
const SLEEP_S = 3
/** Milliseconds in which a program has started. */
const STARTED_MS = 500

const SECRET = '00112233445566778899aabbccddeeff'

/** The probe by which a client waits for the server. */
export const readyRules = defineRules('ready', {
  probe: {
    level: 'MUST',
    text: 'GET /screenshot and GET /terminal answer on a new connection.',
    source: sources.client,
    basis: { states: 'The provider waits until GET /screenshot answers 200, and the set-up polls GET /terminal.' },
    covers: ['OW-C1', 'OW-R6', 'OW-R7'],
    check: async ({ withToken, target }) => {
      const http = withToken(target.token)
      assertStatus(await http.get('/screenshot'), 200, 'GET /screenshot')
      const terminal = await http.get('/terminal')
      if (terminal.status === 500 && (await http.get('/platform')).text !== 'Linux') return
      assertStatus(terminal, 200, 'GET /terminal')
    },
    sabotage: {
      'has no terminal route': replaceStatus('/terminal', 200, 404),
    },
  },
})

/** The name of the platform. */
export const platformRules = defineRules('platform', {
  name: {
    level: 'MUST',
    text: 'GET /platform answers Linux, Windows or Darwin as text.',
    source: sources.server,
    basis: { states: 'GET /platform answers the text Linux, Windows or Darwin.' },
    covers: ['OW-R16'],
    tier: 'sdk',
    check: async ({ http }) => {
      const answer = await http.get('/platform')
      assertStatus(answer, 200)
      assert.match(answer.headers['content-type'] ?? '', /^text\//)
      assert.match(answer.text, /^(Linux|Windows|Darwin)$/)
    },
    sabotage: {
      'writes its platform in small letters': changeBytes('/platform', (bytes) =>
        Buffer.from(bytes.toString().toLowerCase()),
      ),
    },
  },

  program: {
    level: 'MUST',
    text: 'A program that prints platform.system() prints what /platform answers.',
    source: sources.client,
    basis: { states: 'The client learns the platform from a program that prints platform.system().' },
    covers: ['OW-C3', 'OW-P9'],
    needs: ['program:output'],
    check: async (context) => {
      const platform = await platformOf(context)
      assertAgree({
        'platform.system()': (await printed(context, 'import platform; print(platform.system())')).trim(),
        'GET /platform': platform,
      })
    },
    sabotage: {
      'runs programs on another platform': changeResult('platform.system()', (json) => {
        json.output = 'Windows\n'
      }),
    },
  },
})

/** The text of a terminal. */
export const terminalRules = defineRules('terminal', {
  text: {
    level: 'MUST',
    text: 'GET /terminal answers the text of the focused terminal in the tree, or null without one.',
    source: sources.server,
    basis: {
      states: 'output is the text of the focused terminal in the active frame of gnome-terminal-server, else null.',
    },
    covers: ['OW-R7', 'OW-T12'],
    needs: ['tree:states', 'tree:well-formed'],
    check: async (context) => {
      const compare = async (): Promise<string | null> => {
        const answer = await context.http.get('/terminal')
        assertStatus(answer, 200)
        const { output } = answer.json(Terminal)
        assertAgree({ 'GET /terminal': output, 'the tree': terminalIn(await readTree(context)) })
        return output
      }
      if ((await platformOf(context)) !== 'Linux') notOffered('the document has terminals on Linux only')
      const { x, y } = centreOf((await readControl(context, 'field')).box)
      await act(context, `pyautogui.click(${x}, ${y})`)
      assert.equal(await compare(), null, 'a terminal is focused')
      if (!context.profile.has('terminal')) return
      const tree = await readTree(context)
      const box = boxOf(tree, findNamed(tree, context.profile.known('terminal', z.string())))
      assert.ok(box, 'prerequisite: the terminal has no box in the tree')
      const inside = centreOf(box)
      await act(context, `pyautogui.click(${inside.x}, ${inside.y})`)
      assert.notEqual(await compare(), null, 'the terminal has no text')
    },
    sabotage: {
      'always shows a terminal': onSuccessOf('GET /terminal', (json) => {
        json.output = '$ '
      }),
      'never shows a terminal': onSuccessOf('GET /terminal', (json) => {
        json.output = null
      }),
    },
  },
})

/** Several clients at once. */
export const companyRules = defineRules('company', {
  readers: {
    level: 'SHOULD',
    text: 'Several clients read the picture, the pointer and the tree at once.',
    source: sources.expected,
    basis: {
      because: 'A viewer or a recorder may read beside the agent; parallel reads of the tree crash some servers.',
    },
    covers: ['OW-C5', 'OW-R6', 'OW-R8', 'OW-R17'],
    pool: 'dangerous',
    timeoutMs: 60_000,
    check: async (context) => {
      const reads = Array.from({ length: READERS }, () => [
        takeScreenshot(context),
        readMarkup(context),
        pointerOf(context),
      ])
      await Promise.all(reads.flat())
    },
    sabotage: {
      'fails when three clients read the tree': failsInCompany(),
    },
  },

  program: {
    level: 'SHOULD',
    text: 'The screen can be read while a program sleeps.',
    source: sources.expected,
    basis: { because: 'Programs are processes of their own; a viewer or a recorder may read beside the agent.' },
    covers: ['OW-C5', 'OW-P7'],
    needs: ['program:sleep'],
    pool: 'dangerous',
    check: async (context) => {
      let isOver = false
      const sleep = async () => {
        await runPython(context, `import time\ntime.sleep(${SLEEP_S})`)
        isOver = true
      }
      const read = async () => {
        await pause(STARTED_MS)
        // A server may have a clock of its own, by which the program does not take any time.
        const wasOver = isOver
        await takeScreenshot(context)
        assert.ok(wasOver || !isOver, 'the picture comes when the program has ended')
      }
      await Promise.all([sleep(), read()])
    },
    sabotage: {
      'answers one request after another': answersInTurn((request) =>
        programOf(request)?.includes(`time.sleep(${SLEEP_S})`) ? SLEEP_S * 1000 : undefined,
      ),
    },
  },
})

/** Unknown routes and methods. */
export const errorRules = defineRules('error', {
  route: {
    level: 'SHOULD',
    text: 'An unknown route answers 404.',
    source: sources.expected,
    basis: { because: 'The document lists its routes and leaves others to the web framework.' },
    covers: ['OW-X2'],
    pool: 'dangerous',
    check: async ({ http, random }) => {
      assertStatus(await http.get(`/${random.word(12)}`), 404)
      assertStatus(await http.post(`/${random.word(12)}`, {}), 404)
    },
    sabotage: {
      'knows every route': answersUnknown((request) => !isKnownPath(request)),
    },
  },

  method: {
    level: 'SHOULD',
    text: 'A route answers 404 or 405 to other methods than its own.',
    source: sources.expected,
    basis: { because: 'The document gives one method for each route and leaves others to the web framework.' },
    covers: ['OW-X2'],
    pool: 'dangerous',
    check: async ({ http }) => {
      for (const [method, path] of [
        ['GET', '/execute'],
        ['GET', '/file'],
        ['POST', '/screenshot'],
        ['DELETE', '/accessibility'],
      ] as const) {
        const { status } = await http.send({ method, path, deliberate: true })
        assert.ok(status === 404 || status === 405, `${method} ${path} answers ${status}`)
      }
    },
    sabotage: {
      'takes any method': answersUnknown((request) => isKnownPath(request) && !isKnownRequest(request)),
    },
  },
})

/** Extensions of the protocol. */
export const extensionRules = defineRules('extension', {
  score: {
    level: 'MAY',
    text: 'The score of the scenario is printed to the holder of its secret only.',
    source: 'Backlot, docs/osworld.md',
    basis: {
      because: 'An extension: tasks select a scenario and read its score by commands, so that runners can score.',
    },
    covers: ['OW-B1'],
    tier: 'full',
    pool: 'dangerous',
    check: async (context) => {
      if (!context.profile.has('selects')) notOffered('the profile has no scenario to select')
      const scenario = context.profile.known('selects', z.string())
      const run = async (...words: readonly string[]) => {
        const answer = await sendCommand(context, ['backlot', ...words])
        assertStatus(answer, 200)
        return answer.json(ExecuteResult)
      }
      const selected = await run('select', '--scenario', scenario, '--seed', '1', '--secret', SECRET)
      assert.equal(selected.returncode, 0, selected.error)
      const score = await run('score', '--secret', SECRET)
      assert.equal(score.returncode, 0, score.error)
      assert.match(score.output.trim(), /^\d\.\d+$/, 'the score is not a float')
      const guessed = await run('score', '--secret', SECRET.replace('0', '1'))
      assert.notEqual(guessed.returncode, 0, 'a wrong secret reads the score')
      assert.equal(guessed.output, '', 'a wrong secret reads something')
    },
    sabotage: {
      'tells its score to everyone': {
        changeRequest: (request) => {
          const body = bodyOf(request)
          if (body?.command?.[1] !== 'score') return
          body.command[3] = body.command[3].replace(/^1/, '0')
          request.body = Buffer.from(JSON.stringify(body))
        },
      },
    },
  },
})

function failsInCompany(): SabotageBehavior {
  let readers = 0
  return {
    changeRequest: ({ path }) => {
      if (path === '/accessibility') readers++
    },
    changeResponse: (response, { path }) => {
      if (path !== '/accessibility') return
      if (readers > 2) response.status = 500
      readers--
    },
  }
}

function answersUnknown(fits: (request: ProxiedRequest) => boolean): SabotageBehavior {
  return {
    changeResponse: (response, request) => {
      if (fits(request) && response.status >= 400) response.status = 200
    },
  }
}
