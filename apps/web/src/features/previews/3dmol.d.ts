/** Types for the small build of the library, which includes none. */
declare module '3dmol/build/3Dmol.es6-min.js' {
  export * from '3dmol'
}
