import { type Capabilities, capabilitiesWithout, REAL_DESKTOP_LIMITS } from '../capabilities.ts'

const NO_BUS = 'the accessibility bus does not answer; run backlot doctor'

/** What a desktop of X11 can do, with or without its accessibility bus. */
export const x11Capabilities = (hasAccessibility: boolean): Capabilities =>
  capabilitiesWithout({
    ...REAL_DESKTOP_LIMITS,
    ...(!hasAccessibility && { accessibility_tree: NO_BUS, native_actions: NO_BUS }),
  })

const { clipboard: _, ...SWAY_LIMITS } = REAL_DESKTOP_LIMITS

/** What a desktop of sway can do, with or without its accessibility bus. */
export const swayCapabilities = (hasAccessibility: boolean): Capabilities =>
  capabilitiesWithout({
    ...SWAY_LIMITS,
    ...(!hasAccessibility && { accessibility_tree: NO_BUS, native_actions: NO_BUS }),
  })

/** What helps where a compositor gives access through accessibility only. */
export const COMPOSITOR_REMEDY = 'use the elements’ own actions, or a session of sway or X11'

/** The fault text for what only the accessibility bus is known of. */
export const refusedByCompositor = (what: string): string =>
  `Backlot cannot ${what} on this Wayland compositor; ${COMPOSITOR_REMEDY}`

/** What a desktop of another Wayland compositor can do. */
export const accessibleCapabilities = (): Capabilities =>
  capabilitiesWithout({
    ...REAL_DESKTOP_LIMITS,
    screenshots: refusedByCompositor('take screenshots'),
    stacking_order: refusedByCompositor('read the positions of windows'),
    raise_windows: refusedByCompositor('arrange windows'),
    pointer: refusedByCompositor('move the pointer'),
    drag: refusedByCompositor('move the pointer'),
    keyboard: refusedByCompositor('press keys'),
    primitive_input: refusedByCompositor('move the pointer'),
  })
