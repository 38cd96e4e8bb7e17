/** The page shows one window: its screenshot, tree and descriptions. By default it follows the foreground window. */
const byId = (id) => document.getElementById(id)
const state = { view: 'picture', busy: false }
const FOLLOW_MS = 1500
const DOUBLE_MS = 300
const NO_ELEMENT = [...byId('element').children]
const NEXT_ROW = { ArrowDown: 'nextElementSibling', ArrowUp: 'previousElementSibling' }
let lastUpdate = Promise.resolve()

async function request(path, body) {
  const token = sessionStorage.getItem('token')
  const headers = token ? { authorization: `Bearer ${token}` } : {}
  const options =
    body === undefined
      ? { headers }
      : { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(body) }
  const reply = await fetch(`/api${path}`, options).catch(() => {
    throw new Error('the server does not answer; is it still running?')
  })
  if (reply.status === 401) {
    const given = prompt('This server requires a token:')
    if (!given) {
      byId('follow').checked = false
      throw new Error('a token is required; Refresh asks for it again')
    }
    sessionStorage.setItem('token', given)
    return request(path, body)
  }
  const answer = await reply.json()
  if (answer.ok === false) throw new Error(answer.error?.message ?? answer.error ?? reply.statusText)
  return answer
}

/** Updates the page after all earlier updates. */
function refresh({ force = false } = {}) {
  lastUpdate = lastUpdate.then(() => update(force))
  return lastUpdate
}

async function update(force) {
  state.busy = true
  try {
    const asked = new URLSearchParams({ mode: state.view })
    if (state.chosen) asked.set('window_uid', state.chosen)
    if (state.version && !force) asked.set('version', state.version)
    const result = await request(`/inspector/view?${asked}`)
    const shown = result.windows.find((window) => window.window_uid === result.window_uid)
    state.window = shown?.window_uid
    showWindows(result.windows)
    if (!shown) return showNothing()
    state.focused = shown.focused
    state.tree = result.tree ?? undefined
    state.bounds = shown.bounds
    showTree(result.tree)
    byId('hash').textContent = result.tree_hash?.slice(0, 13) ?? 'none'
    if (result.data !== undefined) {
      byId('shot').src = `data:image/png;base64,${result.data}`
      await byId('shot').decode()
    }
    for (const text of ['sketch', 'prose']) if (result[text] !== undefined) byId(text).textContent = result[text]
    // The version is recorded only after the page shows it, so that the next update after a failure requests everything again.
    state.version = result.version
    point(state.tree && elementOf(state.tree, state.pointed))
    const count = result.tree_unavailable ? 'the program does not answer' : `${result.element_count} elements`
    setStatus(`${titleOf(shown)} — ${count}, ${result.is_mock ? 'synthetic desktop' : 'real desktop'}`)
  } catch (error) {
    state.version = undefined
    setStatus(error.message, true)
  } finally {
    state.busy = false
  }
}

function setStatus(text, bad = false) {
  byId('about').textContent = text
  byId('about').classList.toggle('bad', bad)
}

function showNothing() {
  for (const fact of ['tree', 'version', 'rows']) state[fact] = undefined
  for (const part of ['tree', 'hash', 'sketch', 'prose']) byId(part).replaceChildren()
  byId('shot').removeAttribute('src')
  point(undefined)
  setStatus('no window is open')
}

const titleOf = ({ title }) => title || '(no title)'

function showWindows(windows) {
  const listed = JSON.stringify([windows, state.window])
  if (listed === state.windows) return
  state.windows = listed
  byId('windows').replaceChildren(
    ...windows.map((window) => {
      const button = document.createElement('button')
      button.type = 'button'
      button.className = window.focused ? 'focused' : ''
      button.setAttribute('aria-pressed', String(window.window_uid === state.window))
      const small = document.createElement('small')
      small.textContent = ` ${window.process} · ${window.bounds.width}×${window.bounds.height}`
      button.append(titleOf(window), document.createElement('br'), small)
      button.addEventListener('click', () => {
        state.chosen = window.focused ? undefined : window.window_uid
        refresh({ force: true })
      })
      const item = document.createElement('li')
      item.append(button)
      return item
    }),
  )
}

function showTree(tree) {
  const listed = JSON.stringify(tree)
  if (listed === state.rows) return
  state.rows = listed
  if (!tree) return byId('tree').replaceChildren()
  const { id: kept } = document.activeElement.dataset
  const rows = []
  const add = (element, level) => {
    const row = document.createElement('div')
    row.setAttribute('role', 'treeitem')
    row.setAttribute('aria-level', level + 1)
    row.tabIndex = level === 0 ? 0 : -1
    row.dataset.id = element.id
    row.style.paddingLeft = `${4 + level * 14}px`
    row.classList.toggle('disabled', !element.enabled)
    row.classList.toggle('focused', element.focused)
    const role = document.createElement('small')
    role.textContent = `${element.role} `
    row.append(role, element.name)
    for (const type of ['mouseenter', 'focus']) row.addEventListener(type, () => point(element))
    rows.push(row)
    for (const child of element.children) add(child, level + 1)
  }
  add(tree, 0)
  byId('tree').replaceChildren(...rows)
  rows.find(({ dataset }) => dataset.id === kept)?.focus()
}

/** Finds an element by id. */
function elementOf(element, id) {
  if (element.id === id) return element
  for (const child of element.children) {
    const found = elementOf(child, id)
    if (found) return found
  }
}

/** Outlines an element in the screenshot and lists its properties. */
function point(element) {
  state.pointed = element?.id
  for (const row of byId('tree').children) row.classList.toggle('pointed', row.dataset.id === element?.id)
  const outline = byId('outline')
  outline.hidden = !element
  if (!element) return byId('element').replaceChildren(...NO_ELEMENT)
  const scale = byId('shot').clientWidth / (byId('shot').naturalWidth || 1)
  const { x, y, width, height } = element.bounds
  outline.style.left = `${(x - state.bounds.x) * scale}px`
  outline.style.top = `${(y - state.bounds.y) * scale}px`
  outline.style.width = `${width * scale}px`
  outline.style.height = `${height * scale}px`
  const facts = [
    ['id', element.id],
    ['role', element.role],
    ['name', element.name],
    ['value', element.value],
    ['bounds', `${x}, ${y}  ${width}×${height}`],
    ['enabled', element.enabled],
    ['selected', element.selected],
    ['expanded', element.expanded],
    ['shortcut', element.keyboard_shortcut],
  ]
  byId('element').replaceChildren(
    ...facts
      .filter(([, value]) => value !== undefined && value !== null && value !== '')
      .flatMap(([name, value]) => {
        const term = document.createElement('dt')
        term.textContent = name
        const detail = document.createElement('dd')
        detail.textContent = String(value)
        return [term, detail]
      }),
  )
}

/** The deepest element at a point of the screen. */
function elementAt(element, at) {
  for (const child of element.children.toReversed()) {
    const found = elementAt(child, at)
    if (found) return found
  }
  const { x, y, width, height } = element.bounds
  return at.x >= x && at.y >= y && at.x < x + width && at.y < y + height ? element : undefined
}

function screenPoint(event) {
  const shot = byId('shot')
  const box = shot.getBoundingClientRect()
  const scale = shot.naturalWidth / box.width
  return {
    x: Math.floor(state.bounds.x + (event.clientX - box.left) * scale),
    y: Math.floor(state.bounds.y + (event.clientY - box.top) * scale),
  }
}

async function act(body, label) {
  try {
    if (!state.focused) await request('/bring_to_foreground', { window_uid: state.window })
    state.chosen = undefined
    const answer = await request('/action', body)
    byId('action-result').textContent = `${label}: ${answer.changed ? 'changed' : 'nothing changed'}`
    byId('action-result').className = ''
  } catch (error) {
    byId('action-result').textContent = error.message
    byId('action-result').className = 'bad'
  }
  await refresh({ force: true })
}

byId('shot').addEventListener('mousemove', (event) => state.tree && point(elementAt(state.tree, screenPoint(event))))
// A click may be the first of a double click, which is sent as one action.
let clicking
byId('shot').addEventListener('click', (event) => {
  clearTimeout(clicking)
  if (!byId('act').checked) return
  const at = screenPoint(event)
  const double = event.detail === 2
  const click = () => act({ action: 'click_at', ...at, double }, `${double ? 'double ' : ''}click at ${at.x}, ${at.y}`)
  clicking = setTimeout(click, double ? 0 : DOUBLE_MS)
})
for (const [form, action, field] of [
  ['typing', 'type', 'text'],
  ['pressing', 'key', 'keys'],
])
  byId(form).addEventListener('submit', (event) => {
    event.preventDefault()
    act({ action, value: byId(field).value }, action === 'key' ? 'press' : action)
  })
byId('tree').addEventListener('keydown', (event) => {
  const next = document.activeElement[NEXT_ROW[event.key]]
  if (!next) return
  event.preventDefault()
  next.focus()
})
byId('refresh').addEventListener('click', () => refresh({ force: true }))
for (const tab of document.querySelectorAll('[data-view]')) {
  tab.addEventListener('click', () => {
    state.view = tab.dataset.view
    for (const other of document.querySelectorAll('[data-view]')) other.setAttribute('aria-selected', String(other === tab))
    for (const view of ['picture', 'sketch', 'prose']) byId(view).hidden = view !== state.view
    refresh({ force: true })
  })
}
setInterval(() => byId('follow').checked && !document.hidden && !state.busy && refresh(), FOLLOW_MS)
refresh()
