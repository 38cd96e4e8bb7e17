import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { eachWith, type PassingRequest } from '../../sabotage.ts'
import { type Loose, sabotages, type Trick } from '../behaviors.ts'
import { answer, ask, letsPass, refusal, swapCode } from './behaviors.ts'

const at = (path: string) => (request: PassingRequest) => request.path.startsWith(path)
const holds = (text: string) => (request: PassingRequest) => request.body.includes(text)

/** Changes the addresses of requests. */
const path = (change: (path: string) => string): Trick => ({
  request: (request) => {
    request.path = change(request.path)
  },
})

/** An address without one of its parameters, where it begins so. */
function without(text: string, start: string, name: string): string {
  const url = new URL(text, 'http://host')
  if (url.pathname !== start) return text
  url.searchParams.delete(name)
  return url.pathname + url.search
}

/** Changes selectors, wherever a request has them. */
const selectors = (change: (selector: string) => string): Trick => ({
  request: (request) => {
    const url = new URL(request.path, 'http://host')
    const selector = url.searchParams.get('selector')
    if (selector === null) return
    url.searchParams.set('selector', change(selector))
    request.path = url.pathname + url.search
  },
})

/** Changes what healthz tells. */
const health = (change: (json: Loose) => void) => answer('GET /api/healthz', change)

/** Changes the differences that observe answers. */
const difference = (format: string, change: (json: Loose) => void) =>
  answer('GET /api/observe', (json) => {
    if (json.format === format) change(json)
  })

/** Does to the file of a trace, as soon as it is complete. */
const inTrace = (change: (path: string) => void) =>
  answer('POST /api/trace/stop', (json) => {
    if (existsSync(json.path)) change(json.path)
  })

/** Changes each record of a trace; those that become undefined are left out. */
const inRecords = (change: (record: Loose) => Loose | undefined) =>
  inTrace((file) => {
    const lines = readFileSync(file, 'utf8').split('\n')
    const kept = lines.filter((line) => line !== '').flatMap((line) => change(JSON.parse(line)) ?? [])
    writeFileSync(file, kept.map((one) => `${JSON.stringify(one)}\n`).join(''))
  })

/** A click on a button is done in a dry run. */
const ignoresClicks = (name: string): Trick =>
  ask((body) => {
    if (String(body.selector).includes(`"${name}"`)) body.dry_run = true
  })

/** Ways in which other observers are known to go wrong. */
export const holeSabotages = sabotages('observer', {
  'looks for what is no selector and finds nothing': [
    'find:invalid',
    swapCode('BadRequest', 'ElementNotFound', '/api/find_element?'),
  ],
  'calls a click by its route': [
    'receipt:action',
    answer('POST /api/element/click', (json) => {
      json.action = 'click'
    }),
  ],
  'names targets by selectors that find nothing': [
    'receipt:selector',
    answer('POST /api/element/click', (json) => {
      json.target.selector = 'Window/Nothing'
    }),
  ],
  'knows one click only': [
    'element:click-count',
    {
      answer: (passing, request) => {
        if (request.path !== '/api/element/click' || !request.body.includes('"count":2')) return
        passing.status = 400
      },
    },
  ],
  'calls every hover hover': [
    'element:hover-name',
    answer('POST /api/hover', (json) => {
      json.action = 'hover'
    }),
  ],
  'drags from anywhere': ['element:drag-nowhere', letsPass('BadRequest', at('/api/drag'))],
  'types in dry runs': [
    'action:dry-run-others',
    ask((body, { path: route }) => {
      if (route === '/api/tool/type_text') delete body.dry_run
    }),
  ],
  'raises windows in dry runs': [
    'action:dry-run-others',
    ask((body, { path: route }) => {
      if (route === '/api/tool/bring_to_foreground') delete body.dry_run
    }),
  ],
  'drops a snapshot twice': [
    'snapshot:drop-again',
    answer('DELETE /api/snapshot/{id}', (json) => {
      json.dropped = true
    }),
  ],
  'counts steps without a trace': [
    'trace:idle',
    answer('GET /api/trace/status', (json) => {
      if (json.active_trace_id === null) json.step_count = 4
    }),
  ],
  'knows replays that were stopped': [
    'replay:gone',
    {
      request: (request) => {
        if (request.path === '/api/replay/stop') request.path = '/api/replay/status'
      },
    },
  ],
  'tells no hash of a screen that is still': [
    'wait:idle-told',
    answer('POST /api/wait_idle', (json) => {
      delete json.tree_hash
    }),
  ],
  'is never still': [
    'wait:idle',
    {
      answer: (passing, request) => {
        if (request.path === '/api/wait_idle') passing.status = 408
      },
    },
  ],
  'fits whole values only': [
    'oracle:value-search',
    ask((body) => {
      for (const one of body.predicate ?? []) if (one.kind === 'value_matches') one.regex = `^(?:${one.regex})$`
    }),
  ],
  'clears the screen for a scenario it cannot load': ['scenario:stays', clearsScreen()],
  'numbers monitors from 1': [
    'monitors:index',
    answer('GET /api/monitors', (json) => {
      for (const one of json.monitors) one.index++
    }),
  ],
  'acts in front when a window_uid is gone': [
    'error:other-window',
    ask((body) => {
      if (String(body.window_uid).startsWith('gone:')) delete body.window_uid
    }),
  ],
  'acts in front when a title is gone': [
    'error:title-gone',
    ask((body) => {
      delete body.window_title
    }),
  ],
  'shows the front for a window_uid that is gone': [
    'error:look-gone',
    path((text) => text.replace(/window_uid=gone[^&]*/, '')),
  ],
  'lets dry runs click what is disabled': ['error:disabled-dry', letsPass('ElementDisabled', holds('"dry_run":true'))],
  'gives up for ever': [
    'error:recoverable',
    refusal('Timeout', (passing) => {
      ;(passing.json as Loose).error.recoverable = false
    }),
  ],
  'fails without a step': [
    'error:step',
    {
      answer: (passing) => {
        if (passing.status >= 400 && passing.json) delete (passing.json as Loose).step_id
      },
    },
  ],
  'raises windows for images': [
    'guard:get-foreground',
    {
      request: (request) => {
        if (!request.path.startsWith('/api/bring_to_foreground')) return
        for (const name of Object.keys(request.headers)) if (name.startsWith('sec-')) delete request.headers[name]
      },
    },
  ],
  'forgets its configuration': [
    'health:config',
    health((json) => {
      json.config_path = ''
    }),
  ],
  'goes on without its settings': [
    'health:config-error',
    { start: (command) => command.replace(/--config "[^"]*misread[^"]*"/, '') },
  ],
  'says nothing of text recognition': [
    'health:ocr',
    health((json) => {
      delete json.ocr
    }),
  ],
  'counts no calls': [
    'metrics:calls',
    {
      answer: (passing, request) => {
        if (request.path === '/api/metrics')
          passing.body = Buffer.from(passing.body.toString().replaceAll('oso_tool_calls_total', 'oso_calls'))
      },
    },
  ],
  'describes in other words': [
    'description:combined',
    answer('GET /api/description', (json) => {
      json.description = 'a window'
    }),
  ],
  'describes the front only': ['description:index', path((text) => without(text, '/api/description', 'window_index'))],
  'describes the root twice': [
    'description:once',
    answer('GET /api/description', (json) => {
      json.accessibility = json.accessibility.replace(/^Root:.*$/m, '$&\n$&')
    }),
  ],
  'sketches the front only': ['sketch:window', path((text) => without(text, '/api/sketch', 'window_index'))],
  'looks for elements in front only': [
    'find:window',
    path((text) => without(text, '/api/find_element', 'window_index')),
  ],
  'observes windows by uid only': ['observe:window', path((text) => without(text, '/api/observe', 'window_index'))],
  'judges the front only': [
    'oracle:window',
    ask((body) => {
      for (const one of body.predicate ?? []) if (one.kind !== 'window_exists') delete one.window_uid
    }),
  ],
  'filters only what it prunes': [
    'structure:filters-alone',
    path((text) =>
      text.startsWith('/api/structure') && !text.includes('prune_empty')
        ? text.replace(/(exclude_)?roles=[^&]*/, '')
        : text,
    ),
  ],
  'follows cursors of other trees': ['structure:stale-cursor', letsPass('SnapshotExpired', at('/api/structure'))],
  'writes over names': [
    'sketch:small',
    answer('GET /api/sketch', (json) => {
      json.sketch = json.sketch.replaceAll('Save', '①ave')
    }),
  ],
  'draws what is off the screen': [
    'sketch:absent',
    answer('GET /api/sketch', (json) => {
      json.sketch += '\n  LEGEND\n   A  Button "Away"'
    }),
  ],
  'breaks its legend': [
    'sketch:lines',
    answer('GET /api/sketch', (json) => {
      json.sketch += '\n  LEGEND\n   A  Edit "Lines" [one\ntwo\nthree]'
    }),
  ],
  'passes escapes on': [
    'text:control',
    answer('GET /api/sketch', (json) => {
      json.sketch = json.sketch.replace('Alarm', 'Alarm \u001b[31m')
    }),
  ],
  'finds parts of values': ['selector:value-regex', selectors((text) => text.replace(/(value~="[^"]*)"/, '$1.*"'))],
  'takes grandchildren where combinators mix': [
    'selector:mixed',
    {
      answer: (passing, request) => {
        if (/> \w+ \w/.test(decodeURIComponent(request.path).replaceAll('+', ' '))) passing.status = 400
      },
    },
  ],
  'splits names at slashes': [
    'selector:steps',
    {
      answer: (passing, request) => {
        if (decodeURIComponent(request.path).includes('In/Out')) passing.status = 400
      },
    },
  ],
  'takes "false" for true': ['selector:quoted', selectors((text) => text.replace('enabled="false"', 'enabled=true'))],
  'finds what is not selected': [
    'selector:selected',
    selectors((text) => text.replace('selected=true', 'selected=false')),
  ],
  'reports no selection': [
    'observe:whole',
    difference('json-patch', (json) => {
      json.changes = json.changes.filter(({ path: where }: Loose) => !where.endsWith('/selected'))
    }),
  ],
  'takes siblings of one name away and adds them again': [
    'observe:same-named',
    difference('custom', (json) => {
      const { op } = json.changes.at(-1) ?? {}
      if (op === 'move' || op === 'add') json.changes.push({ op: 'remove', path: '3/0' })
    }),
  ],
  'gives no tokens but for trees': [
    'observe:tokens',
    {
      answer: (passing, request) => {
        if (request.path.startsWith('/api/visible_areas')) delete (passing.json as Loose).tree_token
      },
    },
  ],
  'observes what it remembers': [
    'composite:fresh',
    answer('POST /api/type_and_observe', ({ observation }) => {
      if (observation.changes) Object.assign(observation, { changes: [], unchanged: true })
    }),
  ],
  'observes the front only': [
    'composite:window',
    ask((body, { path: route }) => {
      if (route === '/api/type_and_observe') delete body.window_uid
    }),
  ],
  'waits in front only': [
    'wait:window',
    ask((body, { path: route }) => {
      if (route === '/api/wait_for') delete body.window_uid
    }),
  ],
  'waits without looking': [
    'wait:last-observation',
    refusal('Timeout', (passing) => {
      delete (passing.json as Loose).last_observation
    }),
  ],
  'fails at long waits': [
    'wait:capped',
    {
      answer: (passing, request) => {
        if (request.body.includes('"quiet_ms":600000')) passing.status = 500
      },
    },
  ],
  'knows one spelling of reactions': ['scenario:spellings', ignoresClicks('Second')],
  'lets the last reaction win': ['scenario:first', sees('greeted', 'never')],
  'fills in the whole text': ['scenario:group', sees('greeted ', 'greeted hello ')],
  'fires when one condition holds': ['scenario:all-conditions', sees('"name":"Plain"', '"name":"Asleep"')],
  'plays in the first window only': ['scenario:windows', sees('clicked there', 'untouched')],
  'looks for places in the first window': ['scenario:same-place', sees('"value":"empty"', '"value":"clicked first"')],
  'clicks something everywhere': ['scenario:nowhere', sees('"value":"none"', '"value":"some"')],
  'plays what leads nowhere': ['scenario:dangling', letsPass('ScenarioInvalid', holds('broken/transition'))],
  'crashes on numbers': [
    'scenario:scalars',
    {
      answer: (passing) => {
        if (/"window":"2024"/.test(passing.body.toString())) passing.status = 500
      },
    },
  ],
  'plays trees too deep to look at': [
    'scenario:deep',
    {
      answer: (passing, request) => {
        if (!request.body.includes('broken/deep') || passing.status !== 400) return
        passing.status = 200
        passing.json = { ok: true, scenario: 'deep', state: 'start', states: ['start'] }
      },
    },
  ],
  'takes any body': [
    'limits:body',
    {
      request: (request) => {
        if (request.body.length > 10_000_000) request.body = Buffer.from('{"action":"type","value":"x"}')
      },
    },
  ],
  'tries every way an expression can fit': [
    'limits:pattern',
    {
      answer: (passing, request) => {
        if (!request.body.includes('(a+)+#')) return
        // As long as the suite waits; the answer comes too late.
        const endAt = performance.now() + 3500
        while (performance.now() < endAt) passing.headers['x-late'] = '1'
      },
    },
  ],
  'tells which files are there': [
    'files:silent',
    refusal('ScenarioInvalid', (passing, request) => {
      if (request.body.includes('/etc/passwd')) (passing.json as Loose).error.message = 'line 1 is no scenario'
    }),
  ],
  'records a call too few': ['trace:file', inRecords((one) => (one.tool === 'click_element' ? undefined : one))],
  'keeps its screenshots elsewhere': [
    'trace:screenshots',
    inTrace((file) => {
      const folder = join(dirname(file), 'screenshots')
      if (existsSync(folder)) renameSync(folder, `${folder}-elsewhere`)
    }),
  ],
  'records what is to be redacted': ['trace:secrets', recordsTyped()],
  'compares tokens of other runs': [
    'replay:since',
    answer('POST /api/replay/status', (json) => {
      json.divergences = [{ tool: 'observe_window' }]
    }),
  ],
  'replays a part of long texts': ['replay:long', retypes((value) => (value.length > 4096 ? '__truncated' : value))],
  'types the word for what it withheld': ['replay:redacted', retypes(() => '<redacted>')],
})

/** After a load that failed, nothing is on the screen. */
function clearsScreen(): Trick {
  let cleared = false
  return {
    answer: (passing, request) => {
      if (request.path === '/api/scenario/load') cleared = passing.status !== 200
      if (cleared)
        eachWith(passing.json, 'tree_hash', (holder) => {
          holder.tree_hash = 'sha1:00'
        })
    },
  }
}

/** Trees have another text. */
function sees(text: string, instead: string): Trick {
  return {
    answer: (passing, request) => {
      if (!request.path.startsWith('/api/structure') || passing.json === undefined) return
      passing.json = JSON.parse(JSON.stringify(passing.json).replaceAll(text, instead))
    },
  }
}

/** Text that was typed since a trace began stands in its file. */
function recordsTyped(): Trick {
  let typed = ''
  const stop = inRecords((one) => ({ ...one, typed }))
  return {
    request: (request) => {
      if (request.path === '/api/action') typed = request.body.toString()
    },
    answer: (passing, request) => stop.answer?.(passing, request),
  }
}

/** After a replay has begun, fields hold another text than that which was typed. */
function retypes(change: (value: string) => string): Trick {
  let replayed = false
  return {
    answer: (passing, request) => {
      if (request.path === '/api/replay/start') replayed = true
      if (request.path === '/api/scenario/load') replayed = false
      if (!replayed || !request.path.startsWith('/api/structure')) return
      eachWith(passing.json, 'value', (node) => {
        if (node.name === 'Name') node.value = change(String(node.value ?? ''))
      })
    },
  }
}
