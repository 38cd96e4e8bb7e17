/** The page shows one window, the front one unless another was chosen: its picture, its tree, what lies where. */
const byId = (id) => document.getElementById(id)
const state = { view: 'picture', busy: false }
const FOLLOW_MS = 1500
const DOUBLE_MS = 300
const NOTHING = [...byId('element').children]
const NEXT_ROW = { ArrowDown: 'nextElementSibling', ArrowUp: 'previousElementSibling' }
let looked = Promise.resolve()

async function ask(path, body) {
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
    const given = prompt('This server asks for its token:')
    if (!given) {
      byId('follow').checked = false
      throw new Error('a token is needed; Refresh asks for it again')
    }
    sessionStorage.setItem('token', given)
    return ask(path, body)
  }
  const answer = await reply.json()
  if (answer.ok === false) throw new Error(answer.error?.message ?? answer.error ?? reply.statusText)
  return answer
}

/** Looks once more, after every look that was asked for before. */
function refresh({ force = false } = {}) {
  looked = looked.then(() => look(force))
  return looked
}

async function look(force) {
  state.busy = true
  try {
    const asked = new URLSearchParams({ mode: state.view })
    if (state.chosen) asked.set('window_uid', state.chosen)
    if (state.version && !force) asked.set('version', state.version)
    const seen = await ask(`/inspector/view?${asked}`)
    const shown = seen.windows.find((window) => window.window_uid === seen.window_uid)
    state.window = shown?.window_uid
    showWindows(seen.windows)
    if (!shown) return showNothing()
    state.focused = shown.focused
    state.tree = seen.tree ?? undefined
    state.bounds = shown.bounds
    showTree(seen.tree)
    byId('hash').textContent = seen.tree_hash?.slice(0, 13) ?? 'none'
    if (seen.data !== undefined) {
      byId('shot').src = `data:image/png;base64,${seen.data}`
      await byId('shot').decode()
    }
    for (const text of ['sketch', 'prose']) if (seen[text] !== undefined) byId(text).textContent = seen[text]
    // Only what is on the page counts as shown: after a failure the next look asks for it again.
    state.version = seen.version
    point(state.tree && elementOf(state.tree, state.pointed))
    const count = seen.tree_unavailable ? 'the program does not answer' : `${seen.element_count} elements`
    tell(`${titleOf(shown)} — ${count}, ${seen.is_mock ? 'synthetic desktop' : 'real desktop'}`)
  } catch (error) {
    state.version = undefined
    tell(error.message, true)
  } finally {
    state.busy = false
  }
}

function tell(text, bad = false) {
  byId('about').textContent = text
  byId('about').classList.toggle('bad', bad)
}

function showNothing() {
  for (const fact of ['tree', 'version', 'rows']) state[fact] = undefined
  for (const part of ['tree', 'hash', 'sketch', 'prose']) byId(part).replaceChildren()
  byId('shot').removeAttribute('src')
  point(undefined)
  tell('no window is open')
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
    for (const met of ['mouseenter', 'focus']) row.addEventListener(met, () => point(element))
    rows.push(row)
    for (const child of element.children) add(child, level + 1)
  }
  add(tree, 0)
  byId('tree').replaceChildren(...rows)
  rows.find(({ dataset }) => dataset.id === kept)?.focus()
}

/** The element of this id in a tree. */
function elementOf(element, id) {
  if (element.id === id) return element
  for (const child of element.children) {
    const found = elementOf(child, id)
    if (found) return found
  }
}

/** Outlines an element in the picture and tells about it. */
function point(element) {
  state.pointed = element?.id
  for (const row of byId('tree').children) row.classList.toggle('pointed', row.dataset.id === element?.id)
  const outline = byId('outline')
  outline.hidden = !element
  if (!element) return byId('element').replaceChildren(...NOTHING)
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

async function act(body, said) {
  try {
    if (!state.focused) await ask('/bring_to_foreground', { window_uid: state.window })
    state.chosen = undefined
    const answer = await ask('/action', body)
    byId('said').textContent = `${said}: ${answer.changed ? 'changed' : 'nothing changed'}`
    byId('said').className = ''
  } catch (error) {
    byId('said').textContent = error.message
    byId('said').className = 'bad'
  }
  await refresh({ force: true })
}

byId('shot').addEventListener('mousemove', (event) => state.tree && point(elementAt(state.tree, screenPoint(event))))
// A click may be the first of two, which go out as one double click.
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
