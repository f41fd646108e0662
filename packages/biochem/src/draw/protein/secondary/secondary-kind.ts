/** What a residue is part of; everything that is neither a helix nor a strand is coil. */
export type SecondaryKind = 'helix' | 'strand' | 'coil'
