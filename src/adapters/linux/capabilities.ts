import { type Capabilities, capabilitiesWithout, REAL_DESKTOP_LIMITS } from '../capabilities.ts'

const NO_BUS = 'the accessibility bus does not answer; run backlot doctor'

/** What a desktop of X11 can do, with or without its accessibility bus. */
export const x11Capabilities = (hasAccessibility: boolean): Capabilities =>
  capabilitiesWithout({
    ...REAL_DESKTOP_LIMITS,
    ...(!hasAccessibility && { accessibility_tree: NO_BUS, native_actions: NO_BUS }),
  })

/** What helps where Wayland refuses something. */
export const WAYLAND_REMEDY = 'log out and choose "X11" or "Xorg" at the login screen'

/** The fault text for what Wayland does not let other programs do. */
export const refusedByWayland = (what: string): string =>
  `Wayland does not let other programs ${what}; ${WAYLAND_REMEDY}`

/** What a desktop of Wayland without X11 can do. */
export const waylandCapabilities = (): Capabilities =>
  capabilitiesWithout({
    ...REAL_DESKTOP_LIMITS,
    screenshots: refusedByWayland('take screenshots'),
    stacking_order: refusedByWayland('read the positions of windows'),
    raise_windows: refusedByWayland('arrange windows'),
    pointer: refusedByWayland('move the pointer'),
    drag: refusedByWayland('move the pointer'),
    keyboard: refusedByWayland('press keys'),
    primitive_input: refusedByWayland('move the pointer'),
  })
