# The same addon through node-gyp: compiles the units of native/sources.txt, as CMakeLists.txt does.
{
  "variables": {
    "vendor": "native/node_modules",
    "stemmer": "<(vendor)/node-snowball/src/libstemmer",
    "lines": "node -p \"require('fs').readFileSync(process.argv[1],'utf8').match(new RegExp(process.argv[2],'gm')).map(m=>process.argv[3]+m).join('\\n')\""
  },
  "target_defaults": {
    "cflags!": ["-fno-exceptions"],
    "cflags_cc!": ["-fno-exceptions", "-fno-rtti", "-std=gnu++17", "-std=gnu++20"],
    "cflags": ["-fvisibility=hidden"],
    "cflags_cc": ["-std=c++20"],
    "xcode_settings": {
      "GCC_ENABLE_CPP_EXCEPTIONS": "YES",
      "GCC_ENABLE_CPP_RTTI": "YES",
      "CLANG_CXX_LANGUAGE_STANDARD": "c++20",
      "GCC_SYMBOLS_PRIVATE_EXTERN": "YES"
    },
    "include_dirs": [
      "native",
      "native/core",
      "<(vendor)/xxhash-addon/xxHash",  # before lz4, whose folder has an older xxhash.h
      "<(vendor)/simdjson/simdjson/src",
      "<(vendor)/lmdb/dependencies/lz4/lib",
      "<(stemmer)/include"
    ]
  },
  "targets": [
    {
      "target_name": "thirdparty",
      "type": "static_library",
      "cflags": ["-w"],
      "sources": [
        "<(vendor)/simdjson/simdjson/src/simdjson.cpp",
        "<(vendor)/lmdb/dependencies/lz4/lib/lz4.c",
        "<(vendor)/lmdb/dependencies/lz4/lib/lz4hc.c",
        "<(stemmer)/libstemmer/libstemmer_utf8.c",
        "<(stemmer)/runtime/api.c",
        "<(stemmer)/runtime/utilities.c",
        "<!@(<(lines) <(stemmer)/mkinc_utf8.mak \"src_c/\\w+\\.c\" <(stemmer)/)"
      ]
    },
    {
      "target_name": "addon",
      "dependencies": ["thirdparty"],
      "defines": ["NAPI_VERSION=9", "NAPI_CPP_EXCEPTIONS", "NODE_API_SWALLOW_UNTHROWABLE_EXCEPTIONS"],
      "include_dirs": ["<!(node -p \"require('node-addon-api').include_dir\")"],
      "sources": [
        "<!@(node -p \"require('fs').readdirSync('native/napi').filter(f=>f.endsWith('.cc')).map(f=>'native/napi/'+f).join('\\n')\")",
        "<!@(node native/tools/units.mjs build/units)"
      ],
      "conditions": [["OS=='linux'", { "ldflags": ["-Wl,-z,nodelete"] }]]
    }
  ]
}
