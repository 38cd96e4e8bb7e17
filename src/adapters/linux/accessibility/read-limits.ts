/** The number of objects that are read of one window. */
export const MAX_NODES = 25_000

/** The number of levels that are read. */
export const MAX_DEPTH = 200

/** Objects that have not been read after this time are omitted. */
export const MAX_TREE_MS = 10_000

/** Of larger containers, only the children in view are read. */
export const MAX_WHOLE_CHILDREN = 400

/** The number of objects that are requested at the same time. */
export const MAX_CONCURRENT_NODES = 128

/** Cached objects are requested ahead up to this number. Of windows with more, only the part in view is read. */
export const MAX_PREFETCHED_NODES = 3000

/** In such a window, containers out of view with more children are skipped. */
export const MAX_CHILDREN_OUT_OF_VIEW = 20

/** Longer names and descriptions are truncated. */
export const MAX_NAME_CHARACTERS = 10_000
