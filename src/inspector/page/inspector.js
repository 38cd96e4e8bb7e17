/** The page shows one window: its picture, its tree, and which element lies where. */
const byId = (id) => document.getElementById(id)
const state = { window: undefined, tree: undefined, hash: undefined, windows: undefined, view: 'picture', busy: false }
const FOLLOW_MS = 1500

async function ask(path, body) {
  const token = sessionStorage.getItem('token')
  const headers = token ? { authorization: `Bearer ${token}` } : {}
  const options =
    body === undefined
      ? { headers }
      : { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(body) }
  const reply = await fetch(`/api${path}`, options)
  if (reply.status === 401) {
    const given = prompt('This server asks for its token:')
    if (!given) throw new Error('a token is needed')
    sessionStorage.setItem('token', given)
    return ask(path, body)
  }
  const answer = await reply.json()
  if (answer.ok === false) throw new Error(answer.error?.message ?? answer.error ?? reply.statusText)
  return answer
}

async function refresh({ force = false } = {}) {
  if (state.busy) return
  state.busy = true
  try {
    const { windows, is_mock } = await ask('/windows')
    showWindows(windows)
    const shown = windows.find((window) => window.window_uid === state.window) ?? windows[0]
    if (!shown) return tell('no window is open')
    state.window = shown.window_uid
    const uid = encodeURIComponent(shown.window_uid)
    const structure = await ask(`/structure?window_uid=${uid}`)
    const text = JSON.stringify(structure.tree)
    const changed = force || text !== state.hash
    state.hash = text
    state.tree = structure.tree
    state.bounds = shown.bounds
    tell(`${shown.title} — ${structure.element_count} elements, ${is_mock ? 'synthetic desktop' : 'real desktop'}`)
    if (!changed) return
    byId('hash').textContent = structure.tree_hash.slice(0, 13)
    showTree(structure.tree)
    if (state.view === 'picture') {
      const { data } = await ask(`/screenshot?window_uid=${uid}`)
      byId('shot').src = `data:image/png;base64,${data}`
    }
    if (state.view === 'sketch') byId('sketch').textContent = (await ask(`/sketch?window_uid=${uid}`)).sketch
    if (state.view === 'prose') byId('prose').textContent = (await ask(`/description?window_uid=${uid}`)).description
  } catch (error) {
    tell(error.message, true)
  } finally {
    state.busy = false
  }
}

function tell(text, bad = false) {
  byId('about').textContent = text
  byId('about').classList.toggle('bad', bad)
}

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
      button.append(window.title, document.createElement('br'), small)
      button.addEventListener('click', () => {
        state.window = window.window_uid
        refresh({ force: true })
      })
      const item = document.createElement('li')
      item.append(button)
      return item
    }),
  )
}

function showTree(tree) {
  const rows = []
  const add = (element, level) => {
    const row = document.createElement('div')
    row.setAttribute('role', 'treeitem')
    row.dataset.id = element.id
    row.style.paddingLeft = `${4 + level * 14}px`
    row.classList.toggle('disabled', !element.enabled)
    row.classList.toggle('focused', element.focused)
    const role = document.createElement('small')
    role.textContent = `${element.role} `
    row.append(role, element.name)
    row.addEventListener('mouseenter', () => point(element))
    rows.push(row)
    for (const child of element.children) add(child, level + 1)
  }
  add(tree, 0)
  byId('tree').replaceChildren(...rows)
}

/** Outlines an element in the picture and tells about it. */
function point(element) {
  for (const row of byId('tree').children) row.classList.toggle('pointed', row.dataset.id === element?.id)
  const outline = byId('outline')
  outline.hidden = !element
  if (!element) return
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
byId('shot').addEventListener('click', (event) => {
  if (!byId('act').checked) return
  const at = screenPoint(event)
  act({ action: 'click_at', ...at, double: event.detail === 2 }, `click at ${at.x}, ${at.y}`)
})
byId('keyboard').addEventListener('submit', (event) => {
  event.preventDefault()
  act({ action: 'type', value: byId('text').value }, 'type')
})
byId('press').addEventListener('click', () => act({ action: 'key', value: byId('keys').value }, 'press'))
byId('refresh').addEventListener('click', () => refresh({ force: true }))
for (const tab of document.querySelectorAll('[data-view]')) {
  tab.addEventListener('click', () => {
    state.view = tab.dataset.view
    for (const other of document.querySelectorAll('[data-view]')) other.setAttribute('aria-selected', String(other === tab))
    for (const view of ['picture', 'sketch', 'prose']) byId(view).hidden = view !== state.view
    refresh({ force: true })
  })
}
setInterval(() => byId('follow').checked && !document.hidden && refresh(), FOLLOW_MS)
refresh()
