/** The wait after a remapped key for programs that do not answer pings. */
export const REMAP_SETTLE_MS = 30

/** The maximum time for a program to process an action. */
export const MAX_PING_MS = 400

/** The maximum time for a window manager to hold a click back. */
export const MAX_CLICK_HOLD_MS = 1500
