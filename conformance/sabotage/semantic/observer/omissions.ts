import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { acceptRefused, onRefusal, onRequestBody, onSuccessOf, swapCode } from '../../../observer/sabotage.ts'
import { type AnyJson, defineSabotages, type SabotageBehavior } from '../../behaviors.ts'
import { forEachWithKey, type ProxiedRequest } from '../../sabotage.ts'

const at = (path: string) => (request: ProxiedRequest) => request.path.startsWith(path)
const holds = (text: string) => (request: ProxiedRequest) => request.body.includes(text)

/** Changes the addresses of requests. */
const path = (change: (path: string) => string): SabotageBehavior => ({
  changeRequest: (request) => {
    request.path = change(request.path)
  },
})

/** Removes a query parameter from addresses with a prefix. */
function without(text: string, start: string, name: string): string {
  const url = new URL(text, 'http://host')
  if (url.pathname !== start) return text
  url.searchParams.delete(name)
  return url.pathname + url.search
}

/** Changes all selectors of a request. */
const selectors = (change: (selector: string) => string): SabotageBehavior => ({
  changeRequest: (request) => {
    const url = new URL(request.path, 'http://host')
    const selector = url.searchParams.get('selector')
    if (selector === null) return
    url.searchParams.set('selector', change(selector))
    request.path = url.pathname + url.search
  },
})

/** Changes the response of healthz. */
const health = (change: (json: AnyJson) => void) => onSuccessOf('GET /api/healthz', change)

/** Changes the differences that observe answers. */
const difference = (format: string, change: (json: AnyJson) => void) =>
  onSuccessOf('GET /api/observe', (json) => {
    if (json.format === format) change(json)
  })

/** Does to the file of a trace, as soon as it is complete. */
const inTrace = (change: (path: string) => void) =>
  onSuccessOf('POST /api/trace/stop', (json) => {
    if (existsSync(json.path)) change(json.path)
  })

/** Changes each record of a trace; those that become undefined are left out. */
const inRecords = (change: (record: AnyJson) => AnyJson | undefined) =>
  inTrace((file) => {
    const lines = readFileSync(file, 'utf8').split('\n')
    const kept = lines.filter((line) => line !== '').flatMap((line) => change(JSON.parse(line)) ?? [])
    writeFileSync(file, kept.map((one) => `${JSON.stringify(one)}\n`).join(''))
  })

/** A click on a button is done in a dry run. */
const ignoresClicks = (name: string): SabotageBehavior =>
  onRequestBody((body) => {
    if (String(body.selector).includes(`"${name}"`)) body.dry_run = true
  })

/** Known faults of other observers. */
export const omissionSabotages = defineSabotages('observer', {
  'looks for what is no selector and finds nothing': [
    'find:invalid',
    swapCode('BadRequest', 'ElementNotFound', '/api/find_element?'),
  ],
  'calls a click by its route': [
    'receipt:action',
    onSuccessOf('POST /api/element/click', (json) => {
      json.action = 'click'
    }),
  ],
  'names targets by selectors that find nothing': [
    'receipt:selector',
    onSuccessOf('POST /api/element/click', (json) => {
      json.target.selector = 'Window/Nothing'
    }),
  ],
  'knows one click only': [
    'element:click-count',
    {
      changeResponse: (response, request) => {
        if (request.path !== '/api/element/click' || !request.body.includes('"count":2')) return
        response.status = 400
      },
    },
  ],
  'calls every hover hover': [
    'element:hover-name',
    onSuccessOf('POST /api/hover', (json) => {
      json.action = 'hover'
    }),
  ],
  'drags from anywhere': ['element:drag-nowhere', acceptRefused('BadRequest', at('/api/drag'))],
  'types in dry runs': [
    'action:dry-run-others',
    onRequestBody((body, { path: route }) => {
      if (route === '/api/tool/type_text') delete body.dry_run
    }),
  ],
  'raises windows in dry runs': [
    'action:dry-run-others',
    onRequestBody((body, { path: route }) => {
      if (route === '/api/tool/bring_to_foreground') delete body.dry_run
    }),
  ],
  'drops a snapshot twice': [
    'snapshot:drop-again',
    onSuccessOf('DELETE /api/snapshot/{id}', (json) => {
      json.dropped = true
    }),
  ],
  'counts steps without a trace': [
    'trace:idle',
    onSuccessOf('GET /api/trace/status', (json) => {
      if (json.active_trace_id === null) json.step_count = 4
    }),
  ],
  'knows replays that were stopped': [
    'replay:gone',
    {
      changeRequest: (request) => {
        if (request.path === '/api/replay/stop') request.path = '/api/replay/status'
      },
    },
  ],
  'tells no hash of a screen that is still': [
    'wait:idle-told',
    onSuccessOf('POST /api/wait_idle', (json) => {
      delete json.tree_hash
    }),
  ],
  'is never still': [
    'wait:idle',
    {
      changeResponse: (response, request) => {
        if (request.path === '/api/wait_idle') response.status = 408
      },
    },
  ],
  'fits whole values only': [
    'oracle:value-search',
    onRequestBody((body) => {
      for (const one of body.predicate ?? []) if (one.kind === 'value_matches') one.regex = `^(?:${one.regex})$`
    }),
  ],
  'clears the screen for a scenario it cannot load': ['scenario:stays', clearsScreen()],
  'numbers monitors from 1': [
    'monitors:index',
    onSuccessOf('GET /api/monitors', (json) => {
      for (const one of json.monitors) one.index++
    }),
  ],
  'acts in front when a window_uid is gone': [
    'error:other-window',
    onRequestBody((body) => {
      if (String(body.window_uid).startsWith('gone:')) delete body.window_uid
    }),
  ],
  'acts in front when a title is gone': [
    'error:title-gone',
    onRequestBody((body) => {
      delete body.window_title
    }),
  ],
  'shows the front for a window_uid that is gone': [
    'error:look-gone',
    path((text) => text.replace(/window_uid=gone[^&]*/, '')),
  ],
  'lets dry runs click what is disabled': [
    'error:disabled-dry',
    acceptRefused('ElementDisabled', holds('"dry_run":true')),
  ],
  'gives up for ever': [
    'error:recoverable',
    onRefusal('Timeout', (response) => {
      ;(response.json as AnyJson).error.recoverable = false
    }),
  ],
  'fails without a step': [
    'error:step',
    {
      changeResponse: (response) => {
        if (response.status >= 400 && response.json) delete (response.json as AnyJson).step_id
      },
    },
  ],
  'raises windows for images': [
    'guard:get-foreground',
    {
      changeRequest: (request) => {
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
    { changeCommand: (command) => command.replace(/--config "[^"]*misread[^"]*"/, '') },
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
      changeResponse: (response, request) => {
        if (request.path === '/api/metrics')
          response.body = Buffer.from(response.body.toString().replaceAll('oso_tool_calls_total', 'oso_calls'))
      },
    },
  ],
  'describes in other words': [
    'description:combined',
    onSuccessOf('GET /api/description', (json) => {
      json.description = 'a window'
    }),
  ],
  'describes the front only': ['description:index', path((text) => without(text, '/api/description', 'window_index'))],
  'describes the root twice': [
    'description:once',
    onSuccessOf('GET /api/description', (json) => {
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
    onRequestBody((body) => {
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
  'follows cursors of other trees': ['structure:stale-cursor', acceptRefused('SnapshotExpired', at('/api/structure'))],
  'writes over names': [
    'sketch:small',
    onSuccessOf('GET /api/sketch', (json) => {
      json.sketch = json.sketch.replaceAll('Save', '①ave')
    }),
  ],
  'draws what is off the screen': [
    'sketch:absent',
    onSuccessOf('GET /api/sketch', (json) => {
      json.sketch += '\n  LEGEND\n   A  Button "Away"'
    }),
  ],
  'breaks its legend': [
    'sketch:lines',
    onSuccessOf('GET /api/sketch', (json) => {
      json.sketch += '\n  LEGEND\n   A  Edit "Lines" [one\ntwo\nthree]'
    }),
  ],
  'passes escapes on': [
    'text:control',
    onSuccessOf('GET /api/sketch', (json) => {
      json.sketch = json.sketch.replace('Alarm', 'Alarm \u001b[31m')
    }),
  ],
  'finds parts of values': ['selector:value-regex', selectors((text) => text.replace(/(value~="[^"]*)"/, '$1.*"'))],
  'takes grandchildren where combinators mix': [
    'selector:mixed',
    {
      changeResponse: (response, request) => {
        if (/> \w+ \w/.test(decodeURIComponent(request.path).replaceAll('+', ' '))) response.status = 400
      },
    },
  ],
  'splits names at slashes': [
    'selector:steps',
    {
      changeResponse: (response, request) => {
        if (decodeURIComponent(request.path).includes('In/Out')) response.status = 400
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
      json.changes = json.changes.filter(({ path: where }: AnyJson) => !where.endsWith('/selected'))
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
      changeResponse: (response, request) => {
        if (request.path.startsWith('/api/visible_areas')) delete (response.json as AnyJson).tree_token
      },
    },
  ],
  'observes what it remembers': [
    'composite:fresh',
    onSuccessOf('POST /api/type_and_observe', ({ observation }) => {
      if (observation.changes) Object.assign(observation, { changes: [], unchanged: true })
    }),
  ],
  'observes the front only': [
    'composite:window',
    onRequestBody((body, { path: route }) => {
      if (route === '/api/type_and_observe') delete body.window_uid
    }),
  ],
  'waits in front only': [
    'wait:window',
    onRequestBody((body, { path: route }) => {
      if (route === '/api/wait_for') delete body.window_uid
    }),
  ],
  'waits without looking': [
    'wait:last-observation',
    onRefusal('Timeout', (response) => {
      delete (response.json as AnyJson).last_observation
    }),
  ],
  'fails at long waits': [
    'wait:capped',
    {
      changeResponse: (response, request) => {
        if (request.body.includes('"quiet_ms":600000')) response.status = 500
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
  'plays what leads nowhere': ['scenario:dangling', acceptRefused('ScenarioInvalid', holds('broken/transition'))],
  'crashes on numbers': [
    'scenario:scalars',
    {
      changeResponse: (response) => {
        if (/"window":"2024"/.test(response.body.toString())) response.status = 500
      },
    },
  ],
  'plays trees too deep to look at': [
    'scenario:deep',
    {
      changeResponse: (response, request) => {
        if (!request.body.includes('broken/deep') || response.status !== 400) return
        response.status = 200
        response.json = { ok: true, scenario: 'deep', state: 'start', states: ['start'] }
      },
    },
  ],
  'takes any body': [
    'limits:body',
    {
      changeRequest: (request) => {
        if (request.body.length > 10_000_000) request.body = Buffer.from('{"action":"type","value":"x"}')
      },
    },
  ],
  'tries every way an expression can fit': [
    'limits:pattern',
    {
      changeResponse: (response, request) => {
        if (!request.body.includes('(a+)+#')) return
        // As long as the suite waits; the answer comes too late.
        const endAt = performance.now() + 3500
        while (performance.now() < endAt) response.headers['x-late'] = '1'
      },
    },
  ],
  'tells which files are there': [
    'files:silent',
    onRefusal('ScenarioInvalid', (response, request) => {
      if (request.body.includes('/etc/passwd')) (response.json as AnyJson).error.message = 'line 1 is no scenario'
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
    onSuccessOf('POST /api/replay/status', (json) => {
      json.divergences = [{ tool: 'observe_window' }]
    }),
  ],
  'replays a part of long texts': ['replay:long', retypes((value) => (value.length > 4096 ? '__truncated' : value))],
  'types the word for what it withheld': ['replay:redacted', retypes(() => '<redacted>')],
})

/** Clears the screen after a failed load. */
function clearsScreen(): SabotageBehavior {
  let cleared = false
  return {
    changeResponse: (response, request) => {
      if (request.path === '/api/scenario/load') cleared = response.status !== 200
      if (cleared)
        forEachWithKey(response.json, 'tree_hash', (holder) => {
          holder.tree_hash = 'sha1:00'
        })
    },
  }
}

/** Trees have another text. */
function sees(text: string, instead: string): SabotageBehavior {
  return {
    changeResponse: (response, request) => {
      if (!request.path.startsWith('/api/structure') || response.json === undefined) return
      response.json = JSON.parse(JSON.stringify(response.json).replaceAll(text, instead))
    },
  }
}

/** Writes the typed text into the trace file. */
function recordsTyped(): SabotageBehavior {
  let typed = ''
  const stop = inRecords((one) => ({ ...one, typed }))
  return {
    changeRequest: (request) => {
      if (request.path === '/api/action') typed = request.body.toString()
    },
    changeResponse: (response, request) => stop.changeResponse?.(response, request),
  }
}

/** Types another text during a replay. */
function retypes(change: (value: string) => string): SabotageBehavior {
  let replayed = false
  return {
    changeResponse: (response, request) => {
      if (request.path === '/api/replay/start') replayed = true
      if (request.path === '/api/scenario/load') replayed = false
      if (!replayed || !request.path.startsWith('/api/structure')) return
      forEachWithKey(response.json, 'value', (node) => {
        if (node.name === 'Name') node.value = change(String(node.value ?? ''))
      })
    },
  }
}
