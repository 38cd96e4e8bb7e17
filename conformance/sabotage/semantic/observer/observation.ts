import { decode, encode } from '../../../compare/pixels.ts'
import { changeQuery, onSuccessOf, serveStale, shiftBounds } from '../../../observer/sabotage.ts'
import { defineSabotages } from '../../behaviors.ts'
import { forEachWithKey } from '../../sabotage.ts'

let counter = 0

/** Faults in observations, with correct shapes. */
export const observationSabotages = defineSabotages('observer', {
  'counts one window too many': [
    'windows:count',
    onSuccessOf('GET /api/windows', (json) => {
      json.count++
    }),
  ],
  'numbers windows from 1': [
    'windows:count',
    onSuccessOf('GET /api/windows', (json) => {
      for (const one of json.windows) one.index++
    }),
  ],
  'lists windows backwards': [
    'windows:order',
    onSuccessOf('GET /api/windows', (json) => {
      json.windows.reverse()
    }),
  ],
  'focuses every window': [
    'windows:focus',
    onSuccessOf('GET /api/windows', (json) => {
      for (const one of json.windows) one.focused = true
    }),
  ],
  'gives windows new uids each time': [
    'windows:uids',
    onSuccessOf('GET /api/windows', (json) => {
      for (const one of json.windows) one.window_uid += counter++
    }),
  ],
  'hides that it is synthetic': [
    'windows:mock',
    onSuccessOf('GET /api/windows', (json) => {
      json.is_mock = false
    }),
  ],
  'counts one element too few': [
    'structure:count',
    onSuccessOf('GET /api/structure', (json) => {
      json.element_count--
    }),
  ],
  'counts one node too many': [
    'structure:count',
    onSuccessOf('GET /api/structure', (json) => {
      json.node_count++
    }),
  ],
  'loses the last child': [
    'structure:count find:element',
    onSuccessOf('GET /api/structure', (json) => {
      json.tree?.children.pop()
    }),
  ],
  'ignores window_uid': ['structure:window', changeQuery('window_uid', undefined)],
  'ignores window_index': ['structure:window', changeQuery('window_index', undefined)],
  'gives two elements one id': [
    'structure:ids',
    onSuccessOf('GET /api/structure', (json) => {
      for (const one of json.tree?.children ?? []) one.id = 'same'
    }),
  ],
  'shifts bounds in trees': ['structure:bounds find:element', onSuccessOf('GET /api/structure', shiftBounds)],
  'focuses every element': [
    'structure:focus',
    onSuccessOf('GET /api/structure', (json) =>
      forEachWithKey(json.tree, 'focused', (node) => {
        node.focused = true
      }),
    ),
  ],
  'hashes something else': [
    'structure:hash',
    {
      changeResponse: (response) =>
        forEachWithKey(response.json, 'tree_hash', (holder) => {
          if (holder.tree_hash) holder.tree_hash = `sha1:${'0'.repeat(40)}`
        }),
    },
  ],
  'ignores roles': ['structure:roles', changeQuery('roles', undefined)],
  'ignores exclude_roles': ['structure:exclude-roles', changeQuery('exclude_roles', undefined)],
  'ignores name_regex': ['structure:name-regex', changeQuery('name_regex', undefined)],
  'ignores visible_only': ['structure:visible-only', changeQuery('visible_only', undefined)],
  'ignores max_text_len': ['structure:max-text', changeQuery('max_text_len', undefined)],
  'ignores max_nodes': ['structure:pages', changeQuery('max_nodes', undefined)],
  'repeats the first page': ['structure:pages', changeQuery('page_cursor', undefined)],
  'accepts any index': ['structure:bad-index', changeQuery('window_index', '0')],
  'describes another window': [
    'description:window',
    onSuccessOf('GET /api/description', (json) => {
      json.accessibility = json.accessibility.replace(/Window .*/, 'Window : other')
    }),
  ],
  'describes by mode': [
    'description:mode',
    onSuccessOf('GET /api/description', (json, request) => {
      if (request.path.includes('mode=')) json.accessibility = 'another text'
    }),
  ],
  'has no description': [
    'description:text',
    onSuccessOf('GET /api/description', (json) => {
      delete json.description
    }),
  ],
  'describes what was there once': ['description:follows', serveStale('/api/description')],
  'echoes another grid': [
    'sketch:size',
    onSuccessOf('GET /api/sketch', (json) => {
      json.grid_width++
    }),
  ],
  'draws too wide': [
    'sketch:size',
    onSuccessOf('GET /api/sketch', (json) => {
      json.sketch = json.sketch.replace(/^.*$/m, (line: string) => line.padEnd(json.grid_width + 1, '-'))
    }),
  ],
  'draws in Unicode': [
    'sketch:default',
    onSuccessOf('GET /api/sketch', (json) => {
      json.sketch = json.sketch.replaceAll('+', '┌').replaceAll('|', '│')
    }),
  ],
  'draws what was there once': ['sketch:follows', serveStale('/api/sketch')],
  'draws nameless boxes': [
    'sketch:names',
    onSuccessOf('GET /api/sketch', (json) => {
      json.sketch = json.sketch.replace(/[A-Za-z]/g, ' ')
    }),
  ],
  'sends a JPEG': [
    'screenshot:png',
    onSuccessOf('GET /api/screenshot', (json) => {
      json.data = Buffer.from([0xff, 0xd8, 0xff, 0xe0]).toString('base64')
    }),
  ],
  'shows the screen for a window': [
    'screenshot:window',
    {
      changeRequest: (request) => {
        if (request.path.startsWith('/api/screenshot?')) request.path = '/api/screenshot'
      },
    },
  ],
  'shows a window for the screen': [
    'screenshot:screen',
    {
      changeRequest: (request) => {
        if (request.path === '/api/screenshot') request.path += '?window_index=0'
      },
    },
  ],
  'shows an old picture': ['screenshot:follows', serveStale('/api/screenshot?')],
  'shows an old screen': ['screenshot:screen-follows', serveStale('/api/full_screenshot')],
  'shows nothing of the windows behind': [
    'screenshot:behind',
    onSuccessOf('GET /api/screenshot', (json, { path }) => {
      if (!/window_index=[1-9]/.test(path)) return
      const { width, height, data } = decode(json.data, path)
      json.data = encode({ width, height, data: data.fill(255) })
    }),
  ],
  'crops an old picture': ['screenshot:cropped-follows', serveStale('/api/screenshot/cropped')],
  'crops elsewhere': [
    'screenshot:cropped',
    onSuccessOf('GET /api/screenshot/cropped', (json) => {
      if (json.source_bbox) json.source_bbox.x += 3
    }),
  ],
  'lies about the size of the screen': [
    'screenshot:full',
    onSuccessOf('GET /api/full_screenshot', (json) => {
      json.width++
    }),
  ],
  'sees regions outside the window': [
    'visible:regions',
    onSuccessOf('GET /api/visible_areas', (json) => {
      for (const one of json.visible_regions) one.x -= 500
    }),
  ],
  'sees what was visible once': ['visible:follows', serveStale('/api/visible_areas')],
  'reads what stood there once': ['ocr:follows', serveStale('/api/ocr')],
  'reads words outside the picture': [
    'ocr:words',
    onSuccessOf('GET /api/ocr', (json) => {
      for (const one of json.words) one.bbox.x += 10_000
    }),
  ],
  'finds shifted bounds': ['find:element', onSuccessOf('GET /api/find_element', shiftBounds)],
  'finds another element': [
    'find:element find:matches',
    onSuccessOf('GET /api/find_element', (json) => {
      json.element_id = `${json.element_id}x`
    }),
  ],
  'counts one match only': [
    'find:matches',
    onSuccessOf('GET /api/find_element', (json) => {
      json.ambiguous_matches = 1
      json.all_matches.length = 1
    }),
  ],
  'finds the last match first': [
    'find:matches',
    onSuccessOf('GET /api/find_element', (json) => {
      json.all_matches.reverse()
    }),
  ],
  'names selectors that find nothing': [
    'find:canonical',
    onSuccessOf('GET /api/find_element', (json) => {
      json.selector = 'Window/Nothing'
    }),
  ],
  'grows no steps': [
    'health:steps',
    onSuccessOf('GET /api/healthz', (json) => {
      json.step_count = 7
    }),
  ],
  'names another adapter': [
    'capabilities:adapter',
    onSuccessOf('GET /api/capabilities', (json) => {
      json.adapter = 'Other'
    }),
  ],
  'has no primary monitor': [
    'monitors:primary',
    onSuccessOf('GET /api/monitors', (json) => {
      for (const one of json.monitors) one.primary = false
    }),
  ],
  'scales wrongly': [
    'monitors:scale',
    onSuccessOf('GET /api/monitors', (json) => {
      for (const one of json.monitors) one.scale_factor = 2
    }),
  ],
  'hides a metric': [
    'metrics:names',
    {
      changeResponse: (response, request) => {
        if (request.path === '/api/metrics')
          response.body = Buffer.from(response.body.toString().replace(/oso_active_trace/g, 'oso_trace'))
      },
    },
  ],
  'traces without a metric': [
    'metrics:trace',
    {
      changeResponse: (response, request) => {
        if (request.path === '/api/metrics')
          response.body = Buffer.from(response.body.toString().replace(/^oso_active_trace.*$/m, 'oso_active_trace 0'))
      },
    },
  ],
  'has no page': [
    'inspector:page',
    {
      changeResponse: (response, request) => {
        if (request.path === '/') response.headers['content-type'] = 'application/json'
      },
    },
  ],
  'lacks a tool': [
    'tools:list',
    onSuccessOf('GET /api/tools', (json) => {
      json.tools.pop()
    }),
  ],
  'runs another tool': [
    'tools:route',
    {
      changeRequest: (request) => {
        if (request.path.startsWith('/api/tool/')) request.path = '/api/tool/get_monitors'
      },
    },
  ],
  'trusts every host': [
    'guard:host',
    {
      changeRequest: (request) => {
        delete request.headers.host
      },
    },
  ],
  'trusts every page': [
    'guard:origin',
    {
      changeRequest: (request) => {
        delete request.headers.origin
      },
    },
  ],
  'reads any content type': [
    'guard:content-type',
    {
      changeRequest: (request) => {
        if (request.headers['content-type']) request.headers['content-type'] = 'application/json'
      },
    },
  ],
})
