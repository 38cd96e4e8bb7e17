/**
 * The requests and events of the Wayland interfaces that are used, in the order of their opcodes. The letters are the types of
 * the arguments: `u` unsigned and `i` signed number, `f` fixed-point number, `s` text, `o` object, `n` new object with its
 * interface, `h` file descriptor. `g` is the new object of `wl_registry.bind`: its interface, version and number.
 */
export const INTERFACES = {
  wl_display: {
    requests: { sync: 'n:wl_callback', get_registry: 'n:wl_registry' },
    events: { error: 'o u s', delete_id: 'u' },
  },
  wl_registry: { requests: { bind: 'u g' }, events: { global: 'u s u', global_remove: 'u' } },
  wl_callback: { requests: {}, events: { done: 'u' } },
  wl_shm: { requests: { create_pool: 'n:wl_shm_pool h i' }, events: { format: 'u' } },
  wl_shm_pool: { requests: { create_buffer: 'n:wl_buffer i i i i u', destroy: '' }, events: {} },
  wl_buffer: { requests: { destroy: '' }, events: { release: '' } },
  wl_output: {
    requests: { release: '' },
    events: { geometry: 'i i i i i s s i', mode: 'u i i i', done: '', scale: 'i', name: 's', description: 's' },
  },
  wl_seat: { requests: {}, events: { capabilities: 'u', name: 's' } },
  zwlr_screencopy_manager_v1: {
    requests: { capture_output: 'n:zwlr_screencopy_frame_v1 i o' },
    events: {},
  },
  zwlr_screencopy_frame_v1: {
    requests: { copy: 'o', destroy: '' },
    events: {
      buffer: 'u u u u',
      flags: 'u',
      ready: 'u u u',
      failed: '',
      damage: 'u u u u',
      linux_dmabuf: 'u u u',
      buffer_done: '',
    },
  },
  zwlr_virtual_pointer_manager_v1: {
    requests: { create_virtual_pointer: 'o n:zwlr_virtual_pointer_v1' },
    events: {},
  },
  zwlr_virtual_pointer_v1: {
    requests: {
      motion: 'u f f',
      motion_absolute: 'u u u u u',
      button: 'u u u',
      axis: 'u u f',
      frame: '',
      axis_source: 'u',
      axis_stop: 'u u',
      axis_discrete: 'u u f i',
    },
    events: {},
  },
  zwp_virtual_keyboard_manager_v1: {
    requests: { create_virtual_keyboard: 'o n:zwp_virtual_keyboard_v1' },
    events: {},
  },
  zwp_virtual_keyboard_v1: { requests: { keymap: 'u h u', key: 'u u u', modifiers: 'u u u u' }, events: {} },
  zwlr_data_control_manager_v1: {
    requests: {
      create_data_source: 'n:zwlr_data_control_source_v1',
      get_data_device: 'n:zwlr_data_control_device_v1 o',
    },
    events: {},
  },
  zwlr_data_control_device_v1: {
    requests: { set_selection: 'o' },
    events: { data_offer: 'n:zwlr_data_control_offer_v1', selection: 'o', finished: '', primary_selection: 'o' },
  },
  zwlr_data_control_source_v1: { requests: { offer: 's', destroy: '' }, events: { send: 's h', cancelled: '' } },
  zwlr_data_control_offer_v1: { requests: { receive: 's h', destroy: '' }, events: { offer: 's' } },
  ext_data_control_manager_v1: {
    requests: {
      create_data_source: 'n:ext_data_control_source_v1',
      get_data_device: 'n:ext_data_control_device_v1 o',
    },
    events: {},
  },
  ext_data_control_device_v1: {
    requests: { set_selection: 'o' },
    events: { data_offer: 'n:ext_data_control_offer_v1', selection: 'o', finished: '', primary_selection: 'o' },
  },
  ext_data_control_source_v1: { requests: { offer: 's', destroy: '' }, events: { send: 's h', cancelled: '' } },
  ext_data_control_offer_v1: { requests: { receive: 's h', destroy: '' }, events: { offer: 's' } },
  org_kde_kwin_fake_input: {
    requests: {
      authenticate: 's s',
      pointer_motion: 'f f',
      button: 'u u',
      axis: 'u f',
      touch_down: 'u f f',
      touch_motion: 'u f f',
      touch_up: 'u',
      touch_cancel: '',
      touch_frame: '',
      pointer_motion_absolute: 'f f',
      keyboard_key: 'u u',
      destroy: '',
      keyboard_keysym: 'u u',
    },
    events: {},
  },
} as const satisfies Readonly<
  Record<
    string,
    { readonly requests: Readonly<Record<string, string>>; readonly events: Readonly<Record<string, string>> }
  >
>

export type InterfaceName = keyof typeof INTERFACES

/** The names of the requests of an interface. */
export type RequestOf<I extends InterfaceName> = keyof (typeof INTERFACES)[I]['requests'] & string

/** The names of the events of an interface. */
export type EventOf<I extends InterfaceName> = keyof (typeof INTERFACES)[I]['events'] & string
