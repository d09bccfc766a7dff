/** This program's version (https://semver.org): in the API's documents, and in what is written for later programs. */
export const INLET_VERSION = "0.1.0";
