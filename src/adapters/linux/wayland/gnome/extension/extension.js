// What Backlot needs of a GNOME desktop and GNOME offers no other program: windows, pictures of them, the clipboard, and text in any
// script. It answers on the session bus while it is enabled and the screen is not locked. It has no settings and runs no code of others.
import Clutter from 'gi://Clutter'
import Gio from 'gi://Gio'
import GLib from 'gi://GLib'
import Meta from 'gi://Meta'
import Shell from 'gi://Shell'
import St from 'gi://St'
import { Extension } from 'resource:///org/gnome/shell/extensions/extension.js'
import * as Main from 'resource:///org/gnome/shell/ui/main.js'
import { getInputSourceManager } from 'resource:///org/gnome/shell/ui/status/keyboard.js'

const NAME = 'dev.backlot.Desktop'
const PATH = '/dev/backlot/Desktop'

// Version 1 of the interface. Backlot refuses another one.
const INTERFACE = `<node><interface name="${NAME}">
<property name="Version" type="u" access="read"/>
<method name="Describe"><arg type="s" direction="out"/></method>
<method name="Act"><arg type="t" direction="in"/><arg type="s" direction="in"/><arg type="b" direction="out"/></method>
<method name="Place"><arg type="t" direction="in"/><arg type="(iiii)" direction="in"/><arg type="b" direction="out"/></method>
<method name="PictureOfArea"><arg type="(iiii)" direction="in"/><arg type="ay" direction="out"/></method>
<method name="PictureOfWindow"><arg type="t" direction="in"/><arg type="ay" direction="out"/></method>
<method name="ReadClipboard"><arg type="s" direction="out"/></method>
<method name="WriteClipboard"><arg type="s" direction="in"/></method>
<method name="Commit"><arg type="s" direction="in"/><arg type="b" direction="out"/></method>
</interface></node>`

Gio._promisify(Shell.Screenshot.prototype, 'screenshot_area', 'screenshot_area_finish')
Gio._promisify(Shell.Screenshot, 'composite_to_stream', 'composite_to_stream_finish')

/** The types of windows that a person works with, and those of the menus and tooltips of X11 programs. */
const MANAGED = new Set([
  Meta.WindowType.NORMAL,
  Meta.WindowType.DIALOG,
  Meta.WindowType.MODAL_DIALOG,
  Meta.WindowType.UTILITY,
  Meta.WindowType.TOOLBAR,
  Meta.WindowType.MENU,
  Meta.WindowType.SPLASHSCREEN,
])
const BACKGROUND = new Set([Meta.WindowType.DESKTOP, Meta.WindowType.DOCK])

const isOfX11 = (window) => window.get_client_type() === Meta.WindowClientType.X11
const isPopup = (window) => isOfX11(window) && window.is_override_redirect()
// The menus of Wayland programs are windows of the compositor too, but their programs have them in the tree of their window.
const isListed = (window) =>
  !BACKGROUND.has(window.get_window_type()) && (isPopup(window) || MANAGED.has(window.get_window_type()))

/** All windows, bottom to top. */
const windowsOf = () =>
  global.display
    .sort_windows_by_stacking(global.get_window_actors().map((actor) => actor.get_meta_window()))
    .filter(isListed)

function windowOf(id) {
  return windowsOf().find((window) => window.get_id() === Number(id))
}

const rectOf = ({ x, y, width, height }) => ({ x, y, width, height })

/** The part of a window that its program draws: for X11 programs without the frame of the desktop. */
function contentOf(window) {
  if (!isOfX11(window) || isPopup(window)) return window.get_frame_rect()
  return window.decorated ? window.frame_rect_to_client_rect(window.get_frame_rect()) : window.get_buffer_rect()
}

function describeWindow(window) {
  const workspace = window.get_workspace()
  const shown = global.workspace_manager.get_active_workspace()
  const isElsewhere = workspace !== null && workspace !== shown && !window.is_on_all_workspaces()
  return {
    id: window.get_id(),
    pid: window.get_pid(),
    title: window.get_title() ?? '',
    isX11: isOfX11(window),
    isPopup: isPopup(window),
    owner: window.get_transient_for()?.get_id() ?? null,
    isFocused: window.has_focus(),
    isMinimized: window.minimized,
    workspace: isElsewhere ? Meta.prefs_get_workspace_name(workspace.index()) : null,
    frame: rectOf(window.get_frame_rect()),
    content: rectOf(contentOf(window)),
  }
}

function describeMonitors() {
  const { display } = global
  return Array.from({ length: display.get_n_monitors() }, (_, index) => ({
    ...rectOf(display.get_monitor_geometry(index)),
    scale: display.get_monitor_scale(index),
    isPrimary: index === display.get_primary_monitor(),
  }))
}

const keymap = () =>
  (global.stage.context?.get_backend() ?? Clutter.get_default_backend()).get_default_seat().get_keymap()

const ACTIONS = {
  // Also leaves the overview, and switches to the workspace of the window.
  activate: (window) => Main.activateWindow(window),
  minimize: (window) => window.minimize(),
  maximize(window) {
    window.unminimize()
    window.maximize(...bothDirections(window.maximize))
  },
  restore(window) {
    window.unminimize()
    window.unmaximize(...bothDirections(window.unmaximize))
  },
  close: (window) => window.delete(global.get_current_time()),
}

// Since GNOME 49 windows are maximised in both directions unless said otherwise.
const bothDirections = (method) => (method.length > 0 ? [Meta.MaximizeFlags.BOTH] : [])

async function png(draw) {
  const stream = Gio.MemoryOutputStream.new_resizable()
  await draw(stream)
  stream.close(null)
  return stream.steal_as_bytes()
}

async function pictureOfWindow(id) {
  const window = windowOf(id)
  const actor = window?.get_compositor_private()
  if (!actor) throw new Error('there is no such window')
  const texture = actor.paint_to_content(null).get_texture()
  // The texture has the shadow too, and on a scaled monitor more pixels than the window has units.
  const [whole, frame] = [window.get_buffer_rect(), window.get_frame_rect()]
  const scale = texture.get_width() / Math.max(whole.width, frame.width)
  const [x, y] = [Math.max(0, frame.x - whole.x), Math.max(0, frame.y - whole.y)].map((at) => Math.round(at * scale))
  const width = Math.min(texture.get_width() - x, Math.round(frame.width * scale))
  const height = Math.min(texture.get_height() - y, Math.round(frame.height * scale))
  return png((stream) =>
    Shell.Screenshot.composite_to_stream(texture, x, y, width, height, 1, null, 0, 0, 1, stream),
  )
}

/** Answers a call when its work is done, or with the error that ended it. */
function answer(invocation, signature, work) {
  work.then(
    (value) => invocation.return_value(value === undefined ? null : GLib.Variant.new_tuple([variantOf(signature, value)])),
    (error) => invocation.return_dbus_error(`${NAME}.Error`, String(error.message ?? error)),
  )
}

const variantOf = (signature, value) =>
  signature === 'ay' ? GLib.Variant.new_from_bytes(new GLib.VariantType('ay'), value, true) : new GLib.Variant(signature, value)

export default class BacklotExtension extends Extension {
  enable() {
    this._exported = Gio.DBusExportedObject.wrapJSObject(INTERFACE, this)
    this._exported.export(Gio.DBus.session, PATH)
    this._name = Gio.bus_own_name(Gio.BusType.SESSION, NAME, Gio.BusNameOwnerFlags.NONE, null, null, null)
  }

  disable() {
    Gio.bus_unown_name(this._name)
    this._exported.unexport()
    this._exported = null
  }

  get Version() {
    return 1
  }

  Describe() {
    const source = getInputSourceManager().currentSource
    return JSON.stringify({
      monitors: describeMonitors(),
      windows: windowsOf().reverse().map(describeWindow),
      layout: source ? { type: source.type, id: source.id } : null,
      isCapsLocked: keymap().get_caps_lock_state(),
      // Whether something in the focused window takes text that no key has typed.
      takesText: Boolean(Main.inputMethod.currentFocus),
      pointer: global.get_pointer().slice(0, 2),
    })
  }

  /** Performs one of `ACTIONS` on a window. */
  Act(id, what) {
    const window = windowOf(id)
    const action = Object.hasOwn(ACTIONS, what) ? ACTIONS[what] : undefined
    if (what === 'leave-overview') Main.overview.hide()
    else if (window && action) action(window)
    return what === 'leave-overview' || (window !== undefined && action !== undefined)
  }

  Place(id, [x, y, width, height]) {
    const window = windowOf(id)
    window?.move_resize_frame(true, x, y, width, height)
    return window !== undefined
  }

  PictureOfAreaAsync([[x, y, width, height]], invocation) {
    const draw = (stream) => new Shell.Screenshot().screenshot_area(x, y, width, height, stream)
    answer(invocation, 'ay', png(draw))
  }

  PictureOfWindowAsync([id], invocation) {
    answer(invocation, 'ay', pictureOfWindow(id))
  }

  ReadClipboardAsync(_, invocation) {
    const read = new Promise((resolve) => {
      St.Clipboard.get_default().get_text(St.ClipboardType.CLIPBOARD, (_clipboard, text) => resolve(text ?? ''))
    })
    answer(invocation, 's', read)
  }

  WriteClipboard(text) {
    St.Clipboard.get_default().set_text(St.ClipboardType.CLIPBOARD, text)
  }

  /** Enters text where the keyboard is, as an input method does. Returns false where nothing takes it. */
  Commit(text) {
    if (!Main.inputMethod.currentFocus) return false
    Main.inputMethod.commit(text)
    return true
  }
}
