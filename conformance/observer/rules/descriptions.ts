import assert from 'node:assert/strict'
import * as z from 'zod'
import { assertAgree } from '../../compare/differences.ts'
import { inside, isEmpty } from '../../compare/rectangle.ts'
import { assertStatus } from '../../probe/failure.ts'
import type { HttpProbe } from '../../probe/http.ts'
import { defineRules } from '../../suite/rules.ts'
import { sources } from '../document.ts'
import {
  actOnElement,
  fillNameField,
  findElement,
  getFrontWindow,
  getTree,
  getWindows,
  loadScenario,
  parseSuccess,
  requireCapability,
  showScenario,
  toQuery,
} from '../driver.ts'
import { changePath, onSuccessOf, serveStale, withoutParameter } from '../sabotage.ts'
import { Bounds, Description, Sketch } from '../shapes.ts'
import { nodesOf, type Placed, place } from '../tree.ts'

const Ocr = z.looseObject({ words: z.array(z.looseObject({ text: z.string().min(1), bbox: Bounds })) })

async function wordsIn(http: HttpProbe, window_uid: string) {
  await requireCapability(http, 'ocr')
  return parseSuccess(await http.get(`/api/ocr${toQuery({ window_uid })}`, { timeoutMs: 20_000 }), Ocr).words
}

const draw = async (http: HttpProbe, size: object = {}) =>
  parseSuccess(await http.get(`/api/sketch${toQuery({ ...size })}`), Sketch)

const NAMED: ReadonlySet<string> = new Set(['Edit', 'Button'])

/** Control characters but for tab, line feed and carriage return, in any text of a value. */
function controlIn(value: unknown): string | undefined {
  if (typeof value === 'string') return CONTROL.test(value) ? JSON.stringify(value) : undefined
  if (typeof value !== 'object' || value === null) return undefined
  for (const [key, inside] of Object.entries(value)) {
    const found = controlIn(key) ?? controlIn(inside)
    if (found !== undefined) return found
  }
  return undefined
}

const CONTROL = /(?![\t\n\r])\p{Cc}/u

/** Fails when an answer about the screen has a control character. */
async function assertClean(http: HttpProbe): Promise<void> {
  const { element_id } = await findElement(http, 'Window/Text')
  const answers = [
    await http.get('/api/windows'),
    await http.get('/api/structure'),
    await http.get('/api/observe'),
    await http.get('/api/description'),
    await http.get(`/api/find_element${toQuery({ selector: 'Window/Text' })}`),
    await http.get(`/api/sketch${toQuery({ grid_width: 120, grid_height: 40 })}`),
    await http.get(`/api/sketch${toQuery({ grid_width: 30, grid_height: 8 })}`),
    await http.post('/api/element/click', { element_id, dry_run: true }),
    await http.post('/api/assert_state', { predicate: [{ kind: 'text_visible', regex: 'Alarm.*' }] }),
  ]
  for (const answer of answers) {
    assertStatus(answer, 200)
    const found = controlIn(answer.json())
    assert.ok(found === undefined, `${answer.what} has a control character in ${found}`)
  }
}

/** The lines of the grid, without the legend below it. */
const gridLines = (sketch: string): readonly string[] => {
  const lines = sketch.split('\n')
  const legend = lines.findIndex((line) => line.trim().startsWith('LEGEND'))
  return legend < 0 ? lines : lines.slice(0, legend)
}

/** Descriptions of the screen. */
export const descriptionRules = defineRules('description', {
  window: {
    level: 'MUST',
    text: 'The accessibility text names the window, its process and the number of elements.',
    source: `${sources.endpoints}, GET /api/description`,
    basis: {
      states:
        'The accessibility text has lines for the application and the window, and ends with the number of elements.',
    },
    covers: ['O-E3'],
    check: async ({ http }) => {
      const window = await getFrontWindow(http)
      const { window_uid, title, process } = window
      const { accessibility } = parseSuccess(await http.get(`/api/description${toQuery({ window_uid })}`), Description)
      const { element_count } = await getTree(http, { window_uid })
      const lines = accessibility.split('\n').map((line) => line.replace(/\s*:\s*/, ': '))
      for (const fact of [`Application: ${process}`, `Window: ${title}`])
        assert.ok(lines.includes(fact), `no line contains "${fact}":\n${accessibility}`)
      const count = `[${element_count} elements total`
      assert.ok(accessibility.includes(count), `no line contains "${count}":\n${accessibility}`)
    },
    sabotage: {
      'describes another window': onSuccessOf('GET /api/description', (json) => {
        json.accessibility = json.accessibility.replace(/Window .*/, 'Window : other')
      }),
    },
  },

  mode: {
    level: 'MUST',
    text: 'The four modes have no effect: all sources are always combined.',
    source: `${sources.endpoints}, GET /api/description`,
    basis: { states: 'mode is accepted and always ignored.' },
    covers: ['O-E3'],
    check: async ({ http }) => {
      const plain = parseSuccess(await http.get('/api/description'), Description)
      for (const mode of ['accessibility', 'ocr', 'vlm', 'combined']) {
        const { accessibility } = parseSuccess(await http.get(`/api/description${toQuery({ mode })}`), Description)
        assertAgree({ [`mode=${mode}`]: accessibility, 'the mode accessibility': plain.accessibility })
      }
    },
    sabotage: {
      'describes by mode': onSuccessOf('GET /api/description', (json, request) => {
        if (request.path.includes('mode=')) json.accessibility = 'another text'
      }),
    },
  },

  text: {
    level: 'MUST',
    text: 'The answer has a description, the one string a client puts into its prompt.',
    source: 'API for LLM tool use, observation bundle',
    basis: { states: 'The observation bundle reads the field description.' },
    covers: ['O-E3'],
    check: async ({ http }) => {
      parseSuccess(await http.get('/api/description'), z.looseObject({ description: z.string().min(1) }))
    },
    sabotage: {
      'has no description': onSuccessOf('GET /api/description', (json) => {
        delete json.description
      }),
    },
  },

  follows: {
    level: 'MUST',
    text: 'A description written after an element changed has its new value.',
    source: `${sources.endpoints}, GET /api/description`,
    basis: { states: 'The description is that of the window now: observing after every action is mandatory.' },
    covers: ['O-E3'],
    needs: ['element:click', 'scenario:reaction'],
    check: async (context) => {
      const { http } = context
      await showScenario(context)
      const look = async () => parseSuccess(await http.get('/api/description'), Description).accessibility
      await look()
      const value = context.random.word(12)
      await fillNameField(http, value)
      const accessibility = await look()
      assert.ok(accessibility.includes(value), `the new value "${value}" is not in the text:\n${accessibility}`)
    },
    sabotage: {
      'describes what was there once': serveStale('/api/description'),
    },
  },

  combined: {
    level: 'SHOULD',
    text: 'The description holds the accessibility text.',
    source: 'API for LLM tool use, observation bundle',
    basis: {
      because: 'The document has clients read description, and does not specify how it is made of the other texts.',
    },
    covers: ['O-E3'],
    tier: 'full',
    check: async ({ http }) => {
      const shape = z.looseObject({ description: z.string(), accessibility: z.string() })
      const { description, accessibility } = parseSuccess(await http.get('/api/description'), shape)
      const first = accessibility.split('\n')[0]!
      assert.ok(description.includes(first), `the description does not start with the accessibility text: ${first}`)
    },
    sabotage: {
      'describes in other words': onSuccessOf('GET /api/description', (json) => {
        json.description = 'a window'
      }),
    },
  },

  index: {
    level: 'MUST',
    text: 'A description with window_index is that of the window.',
    source: `${sources.endpoints}, GET /api/description`,
    basis: { states: 'description takes window_index.' },
    covers: ['O-E3', 'O-R6'],
    check: async ({ http }) => {
      for (const { index, title } of await getWindows(http)) {
        const { accessibility } = parseSuccess(
          await http.get(`/api/description${toQuery({ window_index: index })}`),
          Description,
        )
        assert.ok(accessibility.includes(title), `window_index=${index} describes another window than "${title}"`)
      }
    },
    sabotage: {
      'describes the front only': changePath((text) => withoutParameter(text, '/api/description', 'window_index')),
    },
  },

  once: {
    level: 'SHOULD',
    text: 'A description has the root of the window once.',
    source: `${sources.endpoints}, GET /api/description`,
    basis: { because: 'The document does not specify how often; a second window of the same name is misleading.' },
    covers: ['O-E3'],
    tier: 'full',
    check: async (context) => {
      await showScenario(context)
      const { accessibility } = parseSuccess(await context.http.get('/api/description'), Description)
      const roots = accessibility.split('\n').filter((line) => /\bWindow\s+"Desk"/.test(line))
      assert.equal(roots.length, 1, `the root is there ${roots.length} times:\n${accessibility}`)
    },
    sabotage: {
      'describes the root twice': onSuccessOf('GET /api/description', (json) => {
        json.accessibility = json.accessibility.replace(/^Root:.*$/m, '$&\n$&')
      }),
    },
  },
})

/** Sketches of the screen. */
export const sketchRules = defineRules('sketch', {
  size: {
    level: 'MUST',
    text: 'A sketch echoes its grid, and does not exceed the grid, apart from its legend.',
    source: `${sources.endpoints}, GET /api/sketch`,
    basis: {
      states: 'grid_width and grid_height are the width and height of the output in characters, and are echoed.',
    },
    covers: ['O-E4'],
    check: async ({ http, random }) => {
      const grid_width = random.int(40, 120)
      const grid_height = random.int(12, 48)
      const answer = await http.get(`/api/sketch${toQuery({ grid_width, grid_height })}`)
      const { sketch, ...echo } = parseSuccess(answer, Sketch)
      assert.equal(echo.grid_width, grid_width, 'grid_width')
      assert.equal(echo.grid_height, grid_height, 'grid_height')
      const lines = gridLines(sketch)
      for (const line of lines)
        assert.ok([...line].length <= grid_width, `a line is ${[...line].length} wide:\n${line}`)
      const drawn = lines.filter((line) => line.trim() !== '')
      assert.ok(drawn.length > 0 && drawn.length <= grid_height, `${drawn.length} lines are drawn`)
    },
    sabotage: {
      'echoes another grid': onSuccessOf('GET /api/sketch', (json) => {
        json.grid_width++
      }),
      'draws too wide': onSuccessOf('GET /api/sketch', (json) => {
        json.sketch = json.sketch.replace(/^.*$/m, (line: string) => line.padEnd(json.grid_width + 1, '-'))
      }),
    },
  },

  default: {
    level: 'MUST',
    text: 'The default grid is 72 by 24, drawn with + - and |.',
    source: `${sources.endpoints}, GET /api/sketch`,
    basis: { states: 'The grid is 72 by 24 by default, drawn with +, - and |.' },
    covers: ['O-E4'],
    check: async ({ http }) => {
      const { sketch, grid_width, grid_height } = parseSuccess(await http.get('/api/sketch'), Sketch)
      assert.deepEqual({ grid_width, grid_height }, { grid_width: 72, grid_height: 24 })
      assert.match(sketch, /\+-+/, 'no box is drawn with + and -')
      assert.match(sketch, /\|/, 'no box is drawn with |')
      assert.doesNotMatch(gridLines(sketch).join('\n'), /[┌┐└┘│]/, 'boxes are drawn with Unicode characters')
    },
    sabotage: {
      'draws in Unicode': onSuccessOf('GET /api/sketch', (json) => {
        json.sketch = json.sketch.replaceAll('+', '┌').replaceAll('|', '│')
      }),
    },
  },

  names: {
    level: 'MUST',
    text: 'The elements of a window can be read in its sketch or in the legend.',
    source: `${sources.endpoints}, GET /api/sketch`,
    basis: { states: 'Each element is a labelled box; those too small for a label are in the legend.' },
    covers: ['O-E4'],
    check: async ({ http }) => {
      const { window_uid, bounds } = await getFrontWindow(http)
      const { tree } = await getTree(http, { window_uid })
      const { sketch } = parseSuccess(
        await http.get(`/api/sketch${toQuery({ window_uid, grid_width: 120, grid_height: 48 })}`),
        Sketch,
      )
      // Items of a closed list are in the tree, but not on the screen.
      const isFolded = (parent: Placed | undefined) => /ComboBox|Menu/.test(parent?.node.role ?? '')
      const shown = place(tree)
        .filter(({ node, parent }) => !isEmpty(node.bounds) && inside(bounds, node.bounds) && !isFolded(parent))
        .map(({ node }) => node)
        .filter((node) => node.children.length === 0 && /^\w{3,12}$/.test(node.name))
      const missing = shown.filter((node) => !sketch.includes(node.name)).map((node) => node.name)
      assert.ok(
        missing.length <= shown.length * 0.1,
        `${missing.length} of ${shown.length} names cannot be read: ${missing.join(', ')}`,
      )
    },
    sabotage: {
      'draws nameless boxes': onSuccessOf('GET /api/sketch', (json) => {
        json.sketch = json.sketch.replace(/[A-Za-z]/g, ' ')
      }),
    },
  },

  follows: {
    level: 'MUST',
    text: 'A sketch drawn after the screen changed is another one.',
    source: `${sources.endpoints}, GET /api/sketch`,
    basis: { states: 'The sketch is that of the window now: observing after every action is mandatory.' },
    covers: ['O-E4'],
    needs: ['element:click', 'scenario:reaction'],
    check: async (context) => {
      const { http } = context
      await showScenario(context)
      const look = async () => parseSuccess(await http.get('/api/sketch'), Sketch).sketch
      await fillNameField(http)
      const before = await look()
      await actOnElement(http, 'click', { selector: 'Button[name="Save"]' })
      assert.notEqual(await look(), before, 'the sketch of another screen is the same')
    },
    sabotage: {
      'draws what was there once': serveStale('/api/sketch'),
    },
  },

  bounded: {
    level: 'SHOULD',
    text: 'A grid of absurd size is refused instead of filling the memory.',
    source: 'good sense; the reference server needs 3.7 GB for one request',
    basis: { because: 'The document sets no limit; a single request could end the server otherwise.' },
    covers: ['O-E4'],
    tier: 'full',
    pool: 'dangerous',
    check: async ({ http }) => {
      const startedAt = performance.now()
      const answer = await http.get(`/api/sketch${toQuery({ grid_width: 100_000_000, grid_height: 100_000_000 })}`)
      assert.ok(performance.now() - startedAt < 3000, 'it takes longer than three seconds')
      assert.ok(answer.status === 400 || answer.bytes.length < 10_000_000, `it answers ${answer.bytes.length} bytes`)
    },
    sabotage: {
      'draws any grid': {
        changeResponse: (response, request) => {
          if (!request.path.includes('grid_width=100000000')) return
          response.status = 200
          response.json = { window: '', grid_width: 1e8, grid_height: 1e8, sketch: ' '.repeat(11_000_000) }
        },
      },
    },
  },

  small: {
    level: 'SHOULD',
    text: 'Names can be read in a sketch of the default size or in its legend.',
    source: `${sources.endpoints}, GET /api/sketch`,
    basis: { because: 'The document has labels or a legend; it does not specify how well they can be read.' },
    covers: ['O-E4'],
    tier: 'full',
    check: async (context) => {
      await showScenario(context)
      const { http } = context
      const { bounds } = await getFrontWindow(http)
      // Lists and texts may show their value instead of their name.
      const named = nodesOf((await getTree(http)).tree).filter(({ role, name }) => NAMED.has(role) && name !== '')
      const shown = named.filter((node) => !isEmpty(node.bounds) && inside(bounds, node.bounds))
      const { sketch } = await draw(http)
      const missing = shown.filter(({ name }) => !sketch.includes(name)).map(({ name }) => name)
      assert.deepEqual(missing, [], `these names cannot be read:\n${sketch}`)
    },
    sabotage: {
      'writes over names': onSuccessOf('GET /api/sketch', (json) => {
        json.sketch = json.sketch.replaceAll('Save', '①ave')
      }),
    },
  },

  absent: {
    level: 'SHOULD',
    text: 'What lies off the screen or has no size is not in a sketch.',
    source: `${sources.endpoints}, GET /api/sketch`,
    basis: {
      because:
        'The document has positions on the screen drawn; drawn at the edge such elements look as if they were there.',
    },
    covers: ['O-E4'],
    tier: 'full',
    check: async (context) => {
      await showScenario(context)
      for (const size of [{}, { grid_width: 160, grid_height: 60 }]) {
        const { sketch } = await draw(context.http, size)
        for (const name of ['Away', 'Empty']) assert.ok(!sketch.includes(name), `"${name}" is drawn:\n${sketch}`)
      }
    },
    sabotage: {
      'draws what is off the screen': onSuccessOf('GET /api/sketch', (json) => {
        json.sketch += '\n  LEGEND\n   A  Button "Away"'
      }),
    },
  },

  lines: {
    level: 'SHOULD',
    text: 'A value of several lines breaks no line of a sketch or its legend.',
    source: `${sources.endpoints}, GET /api/sketch`,
    basis: { because: 'The document gives the sketch a width and a legend of keys; a broken line satisfies neither.' },
    covers: ['O-E4'],
    tier: 'full',
    check: async (context) => {
      await loadScenario(context, 'edges')
      for (const size of [
        { grid_width: 40, grid_height: 12 },
        { grid_width: 120, grid_height: 40 },
      ]) {
        const { sketch, grid_width } = await draw(context.http, size)
        const torn = sketch.split('\n').filter((line) => /^\s*(two|three)\b/.test(line))
        assert.deepEqual(torn, [], `a value continues on its own line:\n${sketch}`)
        const legend = sketch.split('\n').findIndex((line) => line.trim().startsWith('LEGEND'))
        const grid = sketch.split('\n').slice(0, legend < 0 ? undefined : legend)
        for (const line of grid) assert.ok([...line].length <= grid_width, `a line is too wide:\n${line}`)
      }
    },
    sabotage: {
      'breaks its legend': onSuccessOf('GET /api/sketch', (json) => {
        json.sketch += '\n  LEGEND\n   A  Edit "Lines" [one\ntwo\nthree]'
      }),
    },
  },

  window: {
    level: 'MUST',
    text: 'A sketch with window_index is that of the window.',
    source: `${sources.endpoints}, GET /api/sketch`,
    basis: { states: 'sketch takes window_index and answers with the title of the window.' },
    covers: ['O-E4', 'O-R6'],
    check: async ({ http }) => {
      for (const { index, title } of await getWindows(http)) {
        const { window } = parseSuccess(await http.get(`/api/sketch${toQuery({ window_index: index })}`), Sketch)
        assert.equal(window, title, `window_index=${index}`)
      }
    },
    sabotage: {
      'sketches the front only': changePath((text) => withoutParameter(text, '/api/sketch', 'window_index')),
    },
  },
})

/** Recognition of text. */
export const ocrRules = defineRules('ocr', {
  words: {
    level: 'SHOULD',
    text: 'OCR reads words whose boxes lie within the picture.',
    source: sources.reference,
    basis: { because: 'The reference server has the route; the document does not list it.' },
    covers: ['O-E49'],
    tier: 'sdk',
    check: async ({ http }) => {
      const { window_uid, bounds } = await getFrontWindow(http)
      const words = await wordsIn(http, window_uid)
      assert.ok(words.length > 0, 'no word is read')
      const picture = { x: 0, y: 0, width: bounds.width, height: bounds.height }
      for (const word of words) assert.ok(inside(picture, word.bbox), `"${word.text}" lies outside the picture`)
    },
    sabotage: {
      'reads words outside the picture': onSuccessOf('GET /api/ocr', (json) => {
        for (const one of json.words) one.bbox.x += 10_000
      }),
    },
  },

  follows: {
    level: 'SHOULD',
    text: 'OCR reads other words after the screen changed.',
    source: sources.reference,
    basis: { because: 'The reference server has the route; the document does not list it.' },
    covers: ['O-E49'],
    tier: 'full',
    check: async (context) => {
      const { http } = context
      await showScenario(context)
      await fillNameField(http)
      const { window_uid } = await getFrontWindow(http)
      const look = async () => (await wordsIn(http, window_uid)).map(({ text }) => text)
      const before = await look()
      await actOnElement(http, 'click', { selector: 'Button[name="Save"]' })
      assert.notDeepEqual(await look(), before, 'the words read from another screen are the same')
    },
    sabotage: {
      'reads what stood there once': serveStale('/api/ocr'),
    },
  },
})

/** The text of a window. */
export const textRules = defineRules('text', {
  control: {
    level: 'SHOULD',
    text: 'No response contains control characters from the texts of a program.',
    source: 'good sense; terminals obey them',
    basis: { because: 'The document does not cover them; shown in a terminal they hide text or act.' },
    covers: ['O-E2', 'O-E4', 'O-E39'],
    tier: 'full',
    check: async (context) => {
      await loadScenario(context, 'controls')
      await assertClean(context.http)
    },
    sabotage: {
      'passes escapes on': onSuccessOf('GET /api/sketch', (json) => {
        json.sketch = json.sketch.replace('Alarm', 'Alarm \u001b[31m')
      }),
    },
  },
})
