{
 "home": "/tmp/w/gc-att/s",
 "plan_sha256": "d1dba0f3ccc1099e4d44ef8c2b31ff5858ec83aea63d128e3b667b6b4296155b",
 "plans": [
  {
   "decisions": [
    {
     "age": 2,
     "name": "tool_result_002.txt",
     "number": 2,
     "reason": "unreferenced_and_old",
     "references": 0,
     "sha256": "762c8220656d6c05da3d7db97b37fcef012a8b2b2dce89a39b3a40c2d5499385",
     "size": 168892,
     "snapshot": {
      "atime_ns": 1796127134035573235,
      "ctime_ns": 1796127135192585038,
      "device": 65024,
      "inode": 2974008,
      "kind": "file",
      "links": 1,
      "mtime_ns": 1796127133700584984,
      "owner": 0,
      "size": 168892
     },
     "state": "planned_delete",
     "transactions": []
    },
    {
     "age": 1,
     "name": "tool_result_003.txt",
     "number": 3,
     "reason": "unreferenced_and_old",
     "references": 0,
     "sha256": "047eb2aca3b97f782e7f7f81417ad184e160f7ce7b0e4e95cba7f458e2c41e96",
     "size": 168890,
     "snapshot": {
      "atime_ns": 1796127134980585031,
      "ctime_ns": 1796127135192585038,
      "device": 65024,
      "inode": 2974016,
      "kind": "file",
      "links": 1,
      "mtime_ns": 1796127134729661811,
      "owner": 0,
      "size": 168890
     },
     "state": "planned_delete",
     "transactions": []
    }
   ],
   "known": 1796127134.7296617,
   "made": 1796127136.1480002,
   "policy": {
    "keep_bytes": null,
    "max_deletions": 100,
    "older_than": 0
   },
   "problems": [],
   "session": "t",
   "size": 506676
  }
 ],
 "schema_version": 1
}
